import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)

export interface Site {
  readonly origin: string
  stop(): Promise<void>
}

export interface Program extends Site {
  /** Everything that it has printed. */
  output(): string
}

/** Starts a program; resolves with the first address that it prints. */
export async function startProgram(
  program: string,
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Program> {
  const child = spawn(program, args, {
    cwd: options.cwd ?? folder,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text
      const [address] = /http:\/\/[\w.]+:\d+(?=[\s)])/.exec(output) ?? []
      if (address) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('error', reject)
    ended.then(() => reject(new Error(`${program} ${args.join(' ')} ended:\n${output}`)), reject)
  })
  return {
    origin,
    output: () => output,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** The part of miniflare that is used here. Its types are not installed where types are checked. */
interface Miniflare {
  ready: Promise<URL>
  dispose(): Promise<void>
}

interface Rolldown {
  build(options: object): Promise<{ output: [{ code: string }] }>
}

/** Bundles a worker, and runs it in workerd. */
export async function startWorker(file: string, bindings: Record<string, string>): Promise<Site> {
  const { build } = (await import(require.resolve('rolldown'))) as Rolldown
  const { output } = await build({
    input: file,
    external: ['cloudflare:workers'],
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    write: false,
    logLevel: 'silent',
  })
  const { Miniflare } = (await import(require.resolve('miniflare'))) as {
    Miniflare: new (options: object) => Miniflare
  }
  const worker = new Miniflare({
    ...{ modules: true, script: output[0].code, bindings, host: '127.0.0.1', port: 0 },
    // An old date: newer ones allow more.
    compatibilityDate: '2024-10-01',
  })
  const { origin } = await worker.ready
  return { origin, stop: () => worker.dispose() }
}

export const startNode = (file: string, env: Record<string, string>) =>
  startProgram(process.execPath, [file], { env })

export const startBun = (file: string, env: Record<string, string>) =>
  startProgram(binaryOf('bun'), [file], { env })

export function startDeno(file: string, env: Record<string, string>): Promise<Site> {
  const rights = ['--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual']
  return startProgram(binaryOf('deno'), ['run', '--no-prompt', ...rights, file], { env })
}

/** The packages of deno and bun put their binary in place with an install script; this finds it where it was unpacked. */
function binaryOf(name: 'bun' | 'deno'): string {
  const scope = { bun: '@oven', deno: '@deno' }[name]
  const { optionalDependencies } = require(`${name}/package.json`) as {
    optionalDependencies: Record<string, string>
  }
  for (const packageName of Object.keys(optionalDependencies)) {
    for (const file of [`bin/${name}`, name]) {
      try {
        return require.resolve(`${packageName}/${file}`)
      } catch {
        // The package is for another platform, and is not installed.
      }
    }
  }
  throw new Error(`No package of ${scope} fits this platform.`)
}
