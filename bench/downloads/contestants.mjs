// The servers that are compared, all of them with the same file on the same disk.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeLargeFile } from '../../scripts/large-file.mjs'
import { freePort, until } from '../../scripts/loopback.mjs'
import { documentedServer, startNginx } from '../../scripts/nginx/nginx.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const cli = at('../../packages/server/bin/gatehouse.mjs')
const node = process.execPath

/** Creates an installation of Gatehouse with one published file. */
export async function makeHouse(folder, size) {
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, GATEHOUSE_DATA: data, GATEHOUSE_LOG_LEVEL: 'warn' }
  const command = (args, more = {}) => {
    const options = { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' }
    const { status, stdout, stderr } = spawnSync(node, [cli, ...args, '--json'], options)
    if (status !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const source = join(folder, 'large.bin')
  await writeLargeFile(source, size, 1)
  const { aid } = command(['app', 'create', '--env', 'production', '--name', 'Speed'])
  const named = ['--aid', aid, '--rid', 'large']
  command(['resource', 'create', ...named, '--name', 'A large file'])
  const { sha256 } = command(['download', 'create', ...named, '--file', source, '--publish'])
  const linkAt = (url) =>
    command(['download', 'link', ...named, '--lifetime', '86400'], { GATEHOUSE_BASE_URL: url }).url
  return { folder, data, env, linkAt, file: join(data, 'files/production', sha256) }
}

/** Returns each server with its processes and the file's URL. Adds all processes to `started` immediately. */
export async function startContestants(house, started) {
  const contestants = []
  for (const start of [startAlone, startGatehouse, startBoth, startPlain]) {
    const contestant = await start(house)
    started.push(...contestant.children)
    contestants.push(contestant)
  }
  for (const { name, url } of contestants) {
    await until(name, async () => (await fetch(url, { method: 'HEAD' })).ok)
  }
  return contestants
}

async function startAlone({ folder, file }) {
  const port = await freePort()
  const own = join(folder, 'nginx')
  mkdirSync(own)
  const [, at, name] = /^(.*)\/(.*)$/.exec(file)
  const server = `access_log off; sendfile on; tcp_nopush on; server { listen 127.0.0.1:${port}; root ${at}; }`
  const child = startNginx(own, server)
  return { name: 'nginx, sendfile', url: `http://127.0.0.1:${port}/${name}`, children: [child] }
}

function serve({ folder, env }, port, more = {}) {
  const settings = { ...env, ...more, GATEHOUSE_PORT: String(port) }
  const stdio = ['ignore', 'ignore', 'inherit']
  return spawn(node, [cli, 'serve'], { cwd: folder, env: settings, stdio })
}

async function startGatehouse(house) {
  const port = await freePort()
  const url = house.linkAt(`http://127.0.0.1:${port}`)
  return { name: 'Gatehouse', url, children: [serve(house, port)] }
}

/** Gatehouse authorizes the download, and nginx sends the file. */
async function startBoth(house) {
  const [gatehousePort, nginxPort] = [await freePort(), await freePort()]
  const own = join(house.folder, 'nginx-in-front')
  mkdirSync(own)
  const files = join(house.data, 'files')
  const documented = documentedServer({ folder: own, gatehousePort, nginxPort, files })
  const address = `http://127.0.0.1:${nginxPort}`
  const gatehouse = serve(house, gatehousePort, {
    GATEHOUSE_BASE_URL: address,
    GATEHOUSE_DOWNLOAD_ACCEL: '/gatehouse-files',
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  })
  const children = [startNginx(own, documented), gatehouse]
  return { name: 'Gatehouse behind nginx', url: house.linkAt(address), children }
}

async function startPlain({ file }) {
  const port = await freePort()
  const stdio = ['ignore', 'ignore', 'inherit']
  const child = spawn(node, [at('plain-server.mjs'), file, String(port)], { stdio })
  return { name: 'node:http, stream.pipe()', url: `http://127.0.0.1:${port}/`, children: [child] }
}
