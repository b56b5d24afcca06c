import type { Context, Environment } from '../../context.ts'
import type { StoreName } from '../../db/tables.ts'
import {
  type DamagedFile,
  findDamagedFiles,
  summarizeStorage,
} from '../../domain/downloads/damage.ts'
import { showBytes } from '../bytes.ts'
import { byteBar } from '../progress.ts'
import { type Finding, failed, ok } from './checks.ts'

/** Checks the stores of the files for download and, if `deep`, every byte of the files. */
export async function checkFiles(
  ctx: Context,
  env: Environment,
  deep: boolean,
): Promise<Finding[]> {
  const check = `files ${env.name}`
  const stock = await summarizeStorage(env.database.read)
  const stores = new Set([env.stores.current.name, ...stock.stores])
  const troubles: Finding[] = []
  for (const store of stores) {
    const trouble = await troubleWith(env, store)
    if (trouble !== undefined) troubles.push(failed(check, trouble, whatToMend(ctx, env, store)))
  }
  const { downloads, published, bytes } = stock
  const text = `${downloads} downloads, ${published} published, ${showBytes(bytes)}, on ${[...stores].map(nameOf).join(' and ')}`
  if (troubles.length > 0 || !deep) return [...troubles, ok(check, text)]
  return await readAll(env, check, text, bytes)
}

const nameOf = (store: StoreName) => (store === 'disk' ? 'disk' : 'S3')

async function troubleWith({ stores }: Environment, store: StoreName): Promise<string | undefined> {
  try {
    await stores.of(store).check()
    return undefined
  } catch (error) {
    const { message } = error as Error
    return store === 'disk' ? `the folder can't be used: ${message}` : message
  }
}

function whatToMend({ config }: Context, env: Environment, store: StoreName): string {
  if (store === 's3') return 'fix the bucket, or the GATEHOUSE_S3_… settings'
  return `see that there is room, and that the service can write to ${config.dataFolder}/files/${env.name}`
}

async function readAll(
  env: Environment,
  check: string,
  text: string,
  bytes: number,
): Promise<Finding[]> {
  const bar = byteBar(bytes)
  const damaged = await findDamagedFiles(env.database.read, env.stores, bar.show).finally(bar.end)
  if (damaged.length === 0) return [ok(check, `${text}, every byte as it was put there`)]
  return [ok(check, text), ...damaged.map((one) => describe(check, one))]
}

function describe(check: string, { aid, rid, kind, message }: DamagedFile): Finding {
  const todo =
    kind === 'unreadable'
      ? 'fix the store, then look again with: gatehouse doctor --deep'
      : `bring the file back from a backup, or put it there again with: gatehouse download replace --aid ${aid} --rid ${rid} --file FILE`
  return failed(check, `the file of ${rid} (${aid}) is ${kind}: ${message}`, todo)
}
