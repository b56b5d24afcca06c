// Writes the public contract (openapi.json) from the route schemas, and the SDK's types from it.
// With --check it changes nothing, and fails if the committed files differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { prepare } from './prepare.mjs'

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
    await app.close()
    return contract
  } finally {
    await ctx.close()
    rmSync(folder, { recursive: true })
  }
}

const contract = await generate()
const types = astToString(await openapiTS(structuredClone(contract)))
const files = {
  'openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
  'packages/sdk/src/api.ts': `// Made from openapi.json by \`npm run contract\`.\n${types}`,
}
let stale = false
for (const [name, text] of Object.entries(files)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is not what the routes say; run: npm run contract`)
    stale = true
  }
}
process.exit(stale ? 1 : 0)
