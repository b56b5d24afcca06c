import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Gatehouse } from '../client.ts'
import { GatehouseError } from '../errors.ts'
import { type ServiceProcess, spawnService } from './service-process.ts'

export interface StartOptions {
  /** The program and its first arguments. By default the command `gatehouse` of the project, as `npx gatehouse` runs
   * it. In a container: `['docker', 'exec', …]` doesn't work, since the service must be a child of the test. */
  command?: readonly string[]
  /** Further `GATEHOUSE_` variables. */
  env?: Readonly<Record<string, string>>
}

/** A real service with its own data, for a test. */
export interface RunningGatehouse {
  /** `http://127.0.0.1:port`, which is the production environment. */
  readonly url: string
  /** The sandbox environment, of which the keys are. */
  readonly baseUrl: string
  readonly aid: string
  readonly privateKey: string
  readonly client: Gatehouse
  /** Runs a command on the same data: `run('resource', 'create', '--rid', 'news', …)`. Returns what it prints. */
  run(...args: string[]): Promise<string>
  /** Kills the service, as a power failure would. */
  kill(): Promise<void>
  /** Makes it hang: it takes connections and never answers, until `resume`. */
  pause(): void
  resume(): void
  /** Starts it again after `kill`, at the same address with the same data. */
  restart(): Promise<void>
  /** Stops the service and deletes its data. */
  stop(): Promise<void>
}

/** Starts a real service, with an application in its sandbox. */
export async function startGatehouse(options: StartOptions = {}): Promise<RunningGatehouse> {
  const command = options.command ?? findCommand(process.cwd())
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'))
  const env = variables({ ...options.env, GATEHOUSE_DATA: folder })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    return await startIn(command, env, remove)
  } catch (error) {
    remove()
    throw error
  }
}

async function startIn(
  command: readonly string[],
  env: Record<string, string>,
  remove: () => void,
): Promise<RunningGatehouse> {
  const run = (...args: string[]) => runCommand([...command, ...args], env)
  let service: ServiceProcess = await spawnService([...command, 'serve'], env)
  const { url } = service
  const baseUrl = `${url}/sandbox`
  try {
    const keys = await findKeys(run)
    return {
      ...{ url, baseUrl, ...keys, run },
      client: new Gatehouse({ baseUrl, ...keys }),
      kill: () => service.end('SIGKILL'),
      pause: () => service.signal('SIGSTOP'),
      resume: () => service.signal('SIGCONT'),
      async restart() {
        service = await spawnService([...command, 'serve'], { ...env, GATEHOUSE_PORT: portOf(url) })
      },
      async stop() {
        await service.end('SIGTERM')
        remove()
      },
    }
  } catch (error) {
    await service.end('SIGKILL')
    throw error
  }
}

const portOf = (url: string) => new URL(url).port

/** The variables of this process, with Gatehouse's own replaced. */
function variables(own: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'))
  const settings = { GATEHOUSE_HOST: '127.0.0.1', GATEHOUSE_PORT: '0', GATEHOUSE_WORKERS: '1' }
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...settings, ...own }
}

/** Finds the command that the project has installed, from this folder upwards. */
function findCommand(folder: string): string[] {
  const path = join(folder, 'node_modules', '.bin', 'gatehouse')
  if (existsSync(path)) return [process.execPath, realpathSync(path)]
  const above = dirname(resolve(folder))
  if (above === resolve(folder)) {
    throw new GatehouseError(
      'The command gatehouse is not installed in this project. Pass `command`, such as ["node", "/path/to/gatehouse/packages/server/bin/gatehouse.mjs"].',
    )
  }
  return findCommand(above)
}

async function runCommand(command: readonly string[], env: Record<string, string>) {
  const [program = '', ...args] = command
  const { stdout } = await promisify(execFile)(program, args, { env, cwd: tmpdir() })
  return stdout
}

/** The keys of the application that the first start creates in the sandbox. */
async function findKeys(run: RunningGatehouse['run']) {
  const [app] = JSON.parse(await run('app', 'list', '--env', 'sandbox', '--json'))
  const { keys } = JSON.parse(await run('app', 'show', app.aid, '--reveal', '--json'))
  return { aid: app.aid as string, privateKey: keys[0].private_key as string }
}
