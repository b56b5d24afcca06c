import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, until } from '../../scripts/loopback.mjs'
import { requireTools } from '../../scripts/tools.mjs'
import { makeBaseFileSystem } from './base-image.ts'
import { Buildah } from './buildah.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SECRET = 'a secret that belongs in no image'

interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, unknown>
  Healthcheck: { Test: string[] }
}

/** Copies what Git would commit, and adds what a clone may also hold and no image may. */
function makeContext(folder: string): void {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.split('\0').filter(Boolean)) {
    if (statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile() !== true) continue
    cpSync(join(ROOT, file), join(folder, file))
  }
  for (const file of ['.env', '.git/config', 'data/master.key', 'packages/server/.env']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), SECRET)
  }
}

/** Makes a small image like the official ones of Node.js. */
async function makeBaseImage(buildah: Buildah, files: string): Promise<void> {
  mkdirSync(files)
  makeBaseFileSystem(files)
  const from = await buildah.run('from', 'scratch')
  await buildah.run('copy', from, files, '/')
  const path = 'PATH=/usr/local/bin:/usr/bin:/bin'
  const certificates = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
  await buildah.run('config', '--env', path, '--env', certificates, from)
  await buildah.run('commit', '--rm', from, 'localhost/node')
}

/** Lists the processes that a process has started, and those that they have started. */
function descendantsOf(pid: number): number[] {
  // Each thread has its own.
  const own = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return own.flatMap((child) => [child, ...descendantsOf(child)])
}

describe('the container image', () => {
  let folder: string
  let buildah: Buildah
  let container: string
  let files: string
  let config: ImageConfig
  beforeAll(async () => {
    requireTools({ buildah: 'buildah' })
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-container-'))
    buildah = new Buildah(folder)
    await makeBaseImage(buildah, join(folder, 'base'))
    makeContext(join(folder, 'context'))
    const build = ['--isolation', 'chroot', '--format', 'docker', '--tag', 'gatehouse']
    const base = ['--build-arg', 'NODE_IMAGE=localhost/node', '--pull-never']
    await buildah.run('bud', ...build, ...base, join(folder, 'context'))
    container = await buildah.run('from', '--pull-never', 'localhost/gatehouse')
    files = await buildah.run('mount', container)
    const inspected = JSON.parse(await buildah.run('inspect', '--type', 'image', 'gatehouse'))
    config = inspected.Docker.config
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs a command in the container; returns its exit code. */
  async function exitCodeOf(command: string[], variables = {}): Promise<number> {
    const child = buildah.start(container, variables, command)
    child.stdout.resume()
    child.stderr.resume()
    const [code] = await once(child, 'close')
    return code
  }

  it('has nothing of the clone but the package, and no secret', () => {
    const installed = join(files, 'opt/gatehouse/node_modules/@gatehouse')
    expect(readdirSync(installed)).toEqual(['server'])
    expect(readdirSync(join(installed, 'server')).sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'deploy', 'dist', 'package.json'].sort(),
    )
    expect(statSync(join(files, 'src'), { throwIfNoEntry: false })).toBeUndefined()
    const find = ['-r', '--files-with-matches', '--fixed-strings', SECRET, files]
    expect(() => execFileSync('grep', find)).toThrow(expect.objectContaining({ status: 1 }))
  })

  it('serves as a user who can write to the data alone', async () => {
    expect(config).toMatchObject({ User: 'node', Volumes: { '/var/lib/gatehouse': {} } })
    const data = statSync(join(files, 'var/lib/gatehouse'))
    expect([data.uid, data.gid, data.mode & 0o777]).toEqual([1000, 1000, 0o700])
    const writable = 'find / -xdev -writable -not -type l -not -path "/proc/*" -not -path "/dev/*"'
    const others = `${writable} -not -path "/tmp*" -not -path "/home/node*" -not -path "/var/lib/gatehouse*"`
    expect(await exitCodeOf(['sh', '-c', `test -z "$(${others} -print 2>/dev/null)"`])).toBe(0)
  })

  it('starts, answers, is healthy only then, and stops when asked to', async () => {
    const port = String(await freePort())
    const variables = { GATEHOUSE_HOST: '127.0.0.1', GATEHOUSE_PORT: port }
    const [, ...healthCheck] = config.Healthcheck.Test
    expect(await exitCodeOf(healthCheck, variables)).not.toBe(0)
    const service = buildah.start(container, variables, [...config.Entrypoint, ...config.Cmd])
    let output = ''
    service.stdout.on('data', (text) => {
      output += text
    })
    service.stderr.resume()
    const url = `http://127.0.0.1:${port}`
    await until('the service', async () => (await fetch(`${url}/readyz`)).ok)
    await until('the welcome', async () => output.includes('ready to paste'))
    const [, authorization = '', request = ''] =
      /-H 'Authorization: ([^']+)' '([^']+)'/.exec(output) ?? []
    expect((await fetch(request, { headers: { authorization } })).status).toBe(200)
    expect(await exitCodeOf(healthCheck, variables)).toBe(0)
    expect(await exitCodeOf(['gatehouse', 'doctor'], variables)).toBe(0)

    // buildah itself doesn't pass the signal on.
    const isOver = once(service, 'close')
    const isNode = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('node')
    const nodes = descendantsOf(service.pid as number).filter(isNode)
    expect(nodes).toHaveLength(1)
    process.kill(nodes[0] as number, 'SIGTERM')
    expect(await isOver).toEqual([0, null])
  })
})

describe('compose.yaml', () => {
  const check = (env: string) => {
    requireTools({ 'docker-compose': 'docker-compose' })
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compose-'))
    try {
      cpSync(join(ROOT, 'compose.yaml'), join(folder, 'compose.yaml'))
      writeFileSync(join(folder, '.env'), env)
      const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const
      return execFileSync('docker-compose', ['config'], options)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it('is valid, gives the settings to the service, and publishes a port on loopback alone', () => {
    const text = check('POSTGRES_PASSWORD=abc123\nGATEHOUSE_BASE_URL=https://access.example.com\n')
    expect(text).toContain('GATEHOUSE_BASE_URL: https://access.example.com')
    expect(text).toContain('postgres://gatehouse:abc123@database/gatehouse')
    expect(text.match(/^ {4}- \S+:\d+(\/tcp)?$/gm)).toEqual(['    - 127.0.0.1:8080:8080/tcp'])
    expect(text).toContain('condition: service_healthy')
  })

  it('asks for a password', () => {
    expect(() => check('')).toThrow('set POSTGRES_PASSWORD in .env')
  })
})
