import type { Config } from '../../config/config.ts'
import type { Context, Environment } from '../../context.ts'
import type { StoreName } from '../../db/tables.ts'
import {
  type DamagedFile,
  findDamagedFiles,
  summarizeStorage,
} from '../../domain/downloads/damage.ts'
import { formatBytes } from '../bytes.ts'
import { createByteProgressBar } from '../progress.ts'
import { type Finding, failed, ok, warning } from './checks.ts'

/** Checks the stores of the files for download and, if `deep`, every byte of the files. */
export async function checkFiles(
  ctx: Context,
  env: Environment,
  deep: boolean,
): Promise<Finding[]> {
  const check = `files ${env.name}`
  const stock = await summarizeStorage(env.database.read)
  const stores = new Set([env.stores.current.name, ...stock.stores])
  const problems = endpointHasBucket(ctx.config) ? [warnOfEndpoint(check)] : []
  for (const store of stores) problems.push(...(await checkStore(ctx, env, check, store)))
  if (problems.some(({ status }) => status === 'failed')) return problems
  const { downloads, published, bytes } = stock
  const text = `${downloads} downloads, ${published} published, ${formatBytes(bytes)}, on ${[...stores].map(nameOf).join(' and ')}`
  return [...problems, ...(deep ? await readAll(env, check, text, bytes) : [ok(check, text)])]
}

/** Gatehouse adds the bucket to the address itself, so that it would be there twice. */
const endpointHasBucket = ({ s3 }: Config) =>
  s3?.endpoint !== undefined && new URL(s3.endpoint).hostname.startsWith(`${s3.bucket}.`)

const warnOfEndpoint = (check: string) =>
  warning(
    check,
    "S3: the host name in GATEHOUSE_S3_ENDPOINT begins with the bucket's name",
    'leave the bucket out, as in https://s3.example.com, unless the server has this name',
  )

const nameOf = (store: StoreName) => (store === 'disk' ? 'disk' : 'S3')

async function checkStore(
  ctx: Context,
  env: Environment,
  check: string,
  store: StoreName,
): Promise<Finding[]> {
  try {
    return (await env.stores.of(store).check()).map((remark) => ({ check, ...remark }))
  } catch (error) {
    const { message } = error as Error
    const problem = store === 'disk' ? `the folder can't be used: ${message}` : message
    return [failed(check, problem, howToFix(ctx, env, store))]
  }
}

function howToFix({ config }: Context, env: Environment, store: StoreName): string {
  if (store === 's3') return 'fix the bucket or the GATEHOUSE_S3_… settings'
  return `make sure that the disk has space and that the service can write to ${config.dataFolder}/files/${env.name}`
}

async function readAll(
  env: Environment,
  check: string,
  text: string,
  bytes: number,
): Promise<Finding[]> {
  const bar = createByteProgressBar(bytes)
  const damaged = await findDamagedFiles(env.database.read, env.stores, bar.show).finally(bar.end)
  if (damaged.length === 0) return [ok(check, `${text}, all checksums match`)]
  return [ok(check, text), ...damaged.map((one) => describe(check, one))]
}

function describe(check: string, { aid, rid, id, kind, message }: DamagedFile): Finding {
  const fix = 'fix the store, then check again with: gatehouse doctor --deep'
  if (rid === null) {
    const again = 'restore the file from a backup, or upload the image again in the dashboard'
    const todo = kind === 'unreadable' ? fix : again
    return failed(check, `a file of the image ${id} (${aid}) is ${kind}: ${message}`, todo)
  }
  const todo =
    kind === 'unreadable'
      ? fix
      : `restore the file from a backup, or upload it again with: gatehouse download replace --aid ${aid} --rid ${rid} --id ${id} --file FILE`
  return failed(check, `the file of ${rid} (${aid}) is ${kind}: ${message}`, todo)
}
