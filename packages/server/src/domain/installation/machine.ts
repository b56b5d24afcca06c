import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const MACHINE_ID = '/etc/machine-id'
/** In a container the file belongs to the image: it changes with each build and does not identify the machine. */
const CONTAINER = ['/.dockerenv', '/run/.containerenv']

/** Identifies this machine; undefined if it has no id. The id itself is confidential, so only a hash of it is kept. */
export function hashMachineId(setting: string | undefined): string | undefined {
  const id = setting ?? readMachineId()
  return id && createHash('sha256').update(`gatehouse ${id}`).digest('hex').slice(0, 32)
}

function readMachineId(): string | undefined {
  if (CONTAINER.some((path) => existsSync(path)) || !existsSync(MACHINE_ID)) return undefined
  const id = readFileSync(MACHINE_ID, 'utf8').trim()
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}
