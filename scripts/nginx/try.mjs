// Tries the configurations of docs/run/nginx.md and docs/files/nginx.md with a real nginx and a real
// Gatehouse, both on loopback and in their own folder, and prints each request and its outcome.
// Needs nginx on the PATH. `node scripts/nginx/try.mjs`
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, stop, until } from '../loopback.mjs'
import { goodRequests, oddRequests, request, signed } from './cases.mjs'
import {
  makeDownload,
  tryDeliveries,
  tryLogs,
  tryMissing,
  tryRefusals,
  tryUpload,
} from './downloads.mjs'
import { documentedServer, nginxBinary, startNginx } from './nginx.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(root, 'packages/server/bin/gatehouse.mjs')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
const files = join(folder, 'data/files')
const MAX_PER_ADDRESS = 300

const ports = { gatehouse: await freePort(), nginx: await freePort() }
const env = {
  PATH: process.env.PATH,
  GATEHOUSE_DATA: join(folder, 'data'),
  GATEHOUSE_PORT: String(ports.gatehouse),
  GATEHOUSE_BASE_URL: 'https://access.example.com',
  GATEHOUSE_SANDBOX_HOST: 'sandbox.example.com',
  GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  GATEHOUSE_LIMIT_PER_ADDRESS: String(MAX_PER_ADDRESS),
  GATEHOUSE_DOWNLOAD_ACCEL: '/gatehouse-files',
  GATEHOUSE_LOG_LEVEL: 'error',
}

/** Sends bytes unchanged; resolves to the status, the headers and the body. */
function exchange(port, text, localAddress) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const chunks = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString('latin1'))))
    // The socket stays open for writing: nginx takes a half-closed connection for a client that is gone.
    socket.write(Buffer.from(text, 'latin1'))
  })
}

function readAnswer(text) {
  const end = text.indexOf('\r\n\r\n')
  const head = end === -1 ? text : text.slice(0, end).replaceAll('\r', '')
  const body = end === -1 ? '' : text.slice(end + 4)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body }
}

function command(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

function makeApplication(environment) {
  const app = command('app', 'create', '--env', environment, '--name', 'nginx')
  command('resource', 'create', '--aid', app.aid, '--rid', 'a/b', '--name', 'With a slash')
  return app
}

let failed = 0
function report(what, found, expected) {
  const good = JSON.stringify(found) === JSON.stringify(expected)
  if (!good) failed++
  const note = good ? '' : `   expected ${expected.join(' and ')}`
  console.log(`${good ? 'ok  ' : 'FAIL'}  ${what.padEnd(48)} ${found.join(' / ')}${note}`)
}

const outcomeOf = ({ status, body }) =>
  [status, ...(/"code":"(user_not_found|path_not_found)"/.exec(body)?.slice(1) ?? [])].join(' ')

async function tryAll(production, sandbox) {
  console.log('\nRight and wrong signatures: at Gatehouse / through nginx')
  for (const [what, text, status] of goodRequests(production, sandbox)) {
    const found = [await exchange(ports.gatehouse, text), await exchange(ports.nginx, text)]
    report(what, found.map(outcomeOf), [String(status), String(status)])
  }
  console.log('\nOdd requests, correctly signed: at Gatehouse / through nginx')
  for (const [what, text, direct, through] of oddRequests(production)) {
    const found = [await exchange(ports.gatehouse, text), await exchange(ports.nginx, text)]
    report(
      what,
      found.map((answer) => answer.status),
      [direct, through],
    )
    const isHtml = /content-type: text\/html/i.test(found[1].head) && what !== '/docs'
    if (isHtml) report(`${what}: nginx's own page`, ['text/html'], ['JSON'])
  }
}

async function tryForgedAddress(production) {
  console.log('\nA forged X-Forwarded-For, from 127.0.0.9')
  const ask = signed(production, 'GET', '/r2/access/search')
  let last
  for (let i = 0; i <= MAX_PER_ADDRESS; i++) {
    const forged = ask.replace('\r\n\r\n', `\r\nX-Forwarded-For: 10.0.0.${i % 250}\r\n\r\n`)
    last = await exchange(ports.nginx, forged, '127.0.0.9')
  }
  report(`request ${MAX_PER_ADDRESS + 1} of that address in a minute`, [last.status], [429])
  const other = await exchange(ports.nginx, ask, '127.0.0.8')
  report('another address meanwhile', [other.status], [200])
}

async function tryDownloads(production, sandbox) {
  const desk = { command, report, folder, files, send: (text) => exchange(ports.nginx, text) }
  const download = makeDownload(desk, production)
  console.log('\nFiles that nginx delivers')
  await tryDeliveries(desk, download)
  console.log('\nThe same in the sandbox')
  await tryDeliveries(desk, makeDownload(desk, sandbox))
  console.log('\nRefusals')
  await tryRefusals(desk, download)
  await tryMissing(desk, download)
  console.log('\nUploads')
  await tryUpload(desk, production)
  return { desk, link: download.link('--lifetime', '600') }
}

if (spawnSync(nginxBinary, ['-v']).error) {
  console.error('nginx is not on the PATH')
  process.exit(1)
}
const children = []
try {
  console.log(spawnSync(nginxBinary, ['-v'], { encoding: 'utf8' }).stderr.trim())
  const production = makeApplication('production')
  const sandbox = makeApplication('sandbox')
  const stdio = ['ignore', 'ignore', 'inherit']
  children.push(spawn(process.execPath, [cli, 'serve'], { cwd: folder, env, stdio }))
  const documented = documentedServer({
    folder,
    gatehousePort: ports.gatehouse,
    nginxPort: ports.nginx,
    files,
  })
  children.push(startNginx(folder, documented))
  const up = (port) => async () => (await exchange(port, request('GET', '/healthz'))).status === 200
  await until('Gatehouse', up(ports.gatehouse))
  await until('nginx', up(ports.nginx))
  await tryAll(production, sandbox)
  const { desk, link } = await tryDownloads(production, sandbox)
  await tryForgedAddress(production)
  await stop(children.shift())
  console.log('\nGatehouse stopped')
  const away = await exchange(ports.nginx, request('GET', '/r2/access'))
  report('nginx alone', [away.status, /retry-after: 1/i.test(away.head)], [503, true])
  const file = await exchange(ports.nginx, request('GET', link.target, { host: link.host }))
  report('a link to a file', [file.status], [503])
  console.log('\nLogs')
  tryLogs(desk, [link.target.split('/').at(-1), link.target.split('..').at(-1)])
} finally {
  for (const child of children) await stop(child)
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed === 0 ? '\nAll as expected.' : `\n${failed} not as expected.`)
process.exitCode = failed === 0 ? 0 : 1
