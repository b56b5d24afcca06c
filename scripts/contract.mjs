// Writes the public contracts (openapi.json, gatehouse-management.json) from the route schemas and types, and the SDK's
// types from them.
// With --check it changes nothing, and fails if the committed files differ.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { prepare } from './prepare.mjs'
import { responseSchemas } from './response-schemas.mjs'

const isCheck = process.argv.includes('--check')
let stale = false

/** Writes a generated file; with --check, compares it. */
function output(name, text) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const found = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (found === text) return
  if (!isCheck) return writeFileSync(path, text)
  console.error(`${name} is not what the routes say; run: npm run contract`)
  stale = true
}

const toText = (value) => `${JSON.stringify(value, null, 2)}\n`

// The server contains these, so they are written before it is built.
output('packages/server/src/records/management/responses.json', toText(responseSchemas()))
prepare()
const { createApp } = await import('../packages/server/dist/app.js')
const { createContext } = await import('../packages/server/dist/context.js')
const { readConfig } = await import('../packages/server/dist/config.js')
const { createLogger } = await import('../packages/server/dist/logger.js')

async function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-contract-'))
  const ctx = await createContext(readConfig({ GATEHOUSE_DATA: folder }))
  try {
    const app = await createApp(ctx, createLogger('silent'))
    await app.ready()
    const contract = app.swagger()
    const { body } = await app.inject('/management/v1/openapi.json')
    await app.close()
    return { contract, management: JSON.parse(body) }
  } finally {
    await ctx.close()
    rmSync(folder, { recursive: true })
  }
}

/** The method and the path of each operation that takes and returns JSON, for the SDK's client. */
function operationsOf({ paths }) {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, one]) => one.responses[200]?.content['application/json'])
      .filter(([, one]) => !one.requestBody?.content['application/octet-stream'])
      .map(([method, { operationId }]) => {
        const below = path.replace('/management/v1/{environment}', '')
        return `  ${operationId}: ['${method.toUpperCase()}', '${below}'],\n`
      }),
  )
  const head = '// Made from gatehouse-management.json by `npm run contract`.\n'
  return `${head}export const OPERATIONS = {\n${rows.sort().join('')}} as const\n`
}

const typesOf = async (document) => astToString(await openapiTS(structuredClone(document)))

const { contract, management } = await generate()
output('openapi.json', toText(contract))
output(
  'packages/sdk/src/api.ts',
  `// Made from openapi.json by \`npm run contract\`.\n${await typesOf(contract)}`,
)
output('gatehouse-management.json', toText(management))
output(
  'packages/sdk/src/management-api.ts',
  `// Made from gatehouse-management.json by \`npm run contract\`.\n${await typesOf(management)}`,
)
output('packages/sdk/src/management-operations.ts', operationsOf(management))
process.exit(stale ? 1 : 0)
