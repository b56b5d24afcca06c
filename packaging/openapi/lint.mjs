// Checks the contracts with the rules of Redocly and of Spectral, and that every field has a description. Their libraries are used, not their command lines, which
// look for updates. `npm run lint:openapi` installs them into this folder first, without running their install scripts,
// one of which reports the installation.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { undescribedFields } from './undescribed.mjs'

const { Document, Spectral } = spectralCore

const FILES = ['openapi.json', 'gatehouse-management.json']

/** Rules that do not fit, with the reason. */
const REDOCLY_RULES = {
  // `/r2/download/` has ended with a slash since its first client.
  'no-path-trailing-slash': 'off',
  // The management API describes all failures together, as `default`.
  'operation-4xx-response': 'off',
}
const SPECTRAL_RULES = {
  'path-keys-no-trailing-slash': 'off',
  // An installation belongs to its operator; the project has no address to put here.
  'info-contact': 'off',
}

const config = await createConfig({ extends: ['recommended'], rules: REDOCLY_RULES })
const spectral = new Spectral()
spectral.setRuleset({ extends: [rulesets.oas], rules: SPECTRAL_RULES })

async function findProblems(path) {
  const redocly = await lint({ ref: path, config })
  const text = readFileSync(path, 'utf8')
  const document = new Document(text, parsers.Json, path)
  return [
    ...redocly.map((one) => `${one.ruleId} at ${one.location[0]?.pointer}: ${one.message}`),
    ...(await spectral.run(document)).map(
      (one) => `${one.code} at ${one.path.join('/')}: ${one.message}`,
    ),
    ...[...undescribedFields(JSON.parse(text))].map((place) => `no description at ${place}`),
  ]
}

for (const file of FILES) {
  const problems = await findProblems(fileURLToPath(new URL(`../../${file}`, import.meta.url)))
  for (const problem of problems) console.error(`${file}: ${problem}`)
  console.log(`${file}: ${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
}
