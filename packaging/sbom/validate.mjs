// Validates a bill of materials against the strict JSON schema of CycloneDX, which refuses fields that it doesn't know:
// `node packaging/sbom/validate.mjs FILE`. `npm run test:packages` installs the validator into this folder first.
import { readFileSync } from 'node:fs'
import { Validation } from '@cyclonedx/cyclonedx-library'

const [file] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const { specVersion } = JSON.parse(text)
const problems = await new Validation.JsonStrictValidator(specVersion).validate(text)

if (problems !== null) {
  for (const { instancePath, message } of problems) console.error(`${instancePath}: ${message}`)
  process.exitCode = 1
} else {
  console.log(`valid CycloneDX ${specVersion}`)
}
