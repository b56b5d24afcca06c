import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { describeFileError } from '../permissions.ts'
import type { Env } from './reader.ts'

/** The settings that are secrets, or URLs with a password. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'MOVE_TO',
  'MASTER_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'SANDBOX_SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SANDBOX_STRIPE_SECRET_KEY',
  'SANDBOX_STRIPE_WEBHOOK_SECRET',
  'TOKEN',
  'METRICS_TOKEN',
].map((name) => `GATEHOUSE_${name}`)

/** No secret of ours is longer. */
const MAX_BYTES = 64 * 1024

/** Where the value of a secret may be besides its variable. */
interface SecretFile {
  variable: string
  /** How messages name the place. */
  place: string
  path: string
}

/** The files that variables name: `GATEHOUSE_X_FILE` for `GATEHOUSE_X`. */
const namedFiles = (env: Env): SecretFile[] =>
  SECRET_SETTINGS.flatMap((variable) => {
    const place = `${variable}_FILE`
    const path = env[place]?.trim() ?? ''
    return path === '' ? [] : [{ variable, place, path }]
  })

/** The files in the folder that systemd makes for the credentials of a service. Each has the name of its setting. */
function credentialFiles(folder: string | undefined, problems: string[]): SecretFile[] {
  if (!folder) return []
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.startsWith('GATEHOUSE_'))
  } catch (error) {
    problems.push(`CREDENTIALS_DIRECTORY can't be read: ${describeFileError(error, folder)}`)
    return []
  }
  const unknown = names.filter((name) => !SECRET_SETTINGS.includes(name))
  for (const name of unknown) problems.push(`the credential ${name} is not a secret setting`)
  return names
    .filter((name) => SECRET_SETTINGS.includes(name))
    .map((name) => ({ variable: name, place: `the credential ${name}`, path: join(folder, name) }))
}

/** Returns the variables with the secrets that are in files. What is wrong with a file is added to the problems, and
 * nothing of its content. */
export function withSecretFiles(env: Env, problems: string[]): Env {
  const values: Record<string, string | undefined> = { ...env }
  for (const variable of SECRET_SETTINGS) delete values[`${variable}_FILE`]
  const places = new Map<string, string>()
  const isSet = (variable: string) => (env[variable]?.trim() ?? '') !== ''
  for (const variable of SECRET_SETTINGS) if (isSet(variable)) places.set(variable, variable)
  const files = [...namedFiles(env), ...credentialFiles(env.CREDENTIALS_DIRECTORY, problems)]
  for (const { variable, place, path } of files) {
    const other = places.get(variable)
    if (other !== undefined) problems.push(`both ${other} and ${place} are set: remove one of them`)
    places.set(variable, place)
    if (other !== undefined) continue
    try {
      values[variable] = readSecret(path)
    } catch (error) {
      problems.push(`${place}: ${(error as Error).message}`)
    }
  }
  return values
}

/** White space at the end is removed, because editors add a line break. */
function readSecret(path: string): string {
  let bytes: Buffer
  try {
    const stats = statSync(path)
    // Reading a pipe or a device might block forever.
    if (!stats.isFile()) throw new OperatorError(`${path} is not a regular file`)
    if (stats.size > MAX_BYTES) throw new OperatorError(`${path} is too large for a secret`)
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${path} can't be read: ${describeFileError(error, path)}`)
  }
  const text = bytes.toString('utf8').trim()
  if (text === '') throw new OperatorError(`${path} is empty`)
  return text
}
