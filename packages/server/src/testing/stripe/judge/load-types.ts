import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StripeTypes } from './shapes.ts'

const require = createRequire(import.meta.url)

/** The folder of the installed `stripe` package. */
export const STRIPE_FOLDER = folderOf('stripe')

const CACHE = fileURLToPath(new URL('../../../../../../.cache/stripe-types', import.meta.url))
const DERIVED_BY = ['derive-routes.ts', 'derive-shapes.ts', 'derive-types.ts', 'shapes.ts']

function folderOf(name: string): string {
  const [before] = require.resolve(name).split(`/node_modules/${name}/`)
  return join(before as string, 'node_modules', name)
}

/** Names the file by all that decides on its content, so that an update of the package makes a new one. */
function cacheFile(): string {
  const hash = createHash('sha256')
  for (const name of ['stripe', 'typescript']) {
    hash.update(readFileSync(join(folderOf(name), 'package.json')))
  }
  for (const file of DERIVED_BY) hash.update(readFileSync(new URL(file, import.meta.url)))
  return join(CACHE, `${hash.digest('hex').slice(0, 24)}.json`)
}

/** Derives the types if no run has done so. The compiler takes some seconds, so this is done once, before all tests. */
export async function prepareStripeTypes(): Promise<void> {
  const file = cacheFile()
  if (existsSync(file)) return
  const { deriveStripeTypes } = await import('./derive-types.ts')
  const types = deriveStripeTypes(STRIPE_FOLDER)
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(types))
  renameSync(draft, file)
}

let loaded: StripeTypes | undefined

export function stripeTypes(): StripeTypes {
  loaded ??= JSON.parse(readFileSync(cacheFile(), 'utf8')) as StripeTypes
  return loaded
}
