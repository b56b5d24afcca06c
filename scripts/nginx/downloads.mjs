// Links to files that nginx sends instead of Gatehouse: what try.mjs requests, and what must come back.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from './cases.mjs'

const NAME = 'Größe "größer", 日本.bin'
const SIZE = 300_000

/** Creates a published file of random bytes for the resource `a/b`. */
export function makeDownload({ command, folder }, { aid, environment }) {
  const path = join(folder, `${environment}.bin`)
  const content = randomBytes(SIZE)
  writeFileSync(path, content)
  const named = ['--aid', aid, '--rid', 'a/b']
  const { sha256 } = command(
    ...['download', 'create', ...named, '--file', path, '--name', NAME, '--publish'],
  )
  const link = (...options) => {
    const url = new URL(command('download', 'link', ...named, ...options).url)
    return { host: url.host, target: url.pathname }
  }
  return { content, sha256, link }
}

/** Uploads more than nginx accepts elsewhere, with a management token. */
export async function tryUpload({ command, send, report }, { aid, environment }) {
  const { token } = command('token', 'create', '--name', 'nginx', '--role', 'developer')
  const rid = encodeURIComponent('a/b')
  const target = `/management/v1/${environment}/applications/${aid}/resources/${rid}/downloads?name=upload.bin`
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' }
  const answer = await send(request('POST', target, { body: 'x'.repeat(SIZE), headers }))
  report(
    'an upload of 300 KB',
    [answer.status, answer.body.includes(`"size":${SIZE}`)],
    [200, true],
  )
}

const ask = ({ host, target }, { method = 'GET', ...headers } = {}) =>
  request(method, target, { host, headers })

const header = ({ head }, name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
const bytesOf = ({ body }) => Buffer.from(body, 'latin1')
const codeOf = ({ body }) => /"code":"(\w+)"/.exec(body)?.[1]

function altered({ host, target }) {
  const last = target.at(-2) === 'A' ? 'B' : 'A'
  return { host, target: `${target.slice(0, -2)}${last}${target.slice(-1)}` }
}

/** Tests that responses of nginx look as if Gatehouse had sent them. */
export async function tryDeliveries({ send, report }, { content, sha256, link }) {
  const plain = link('--lifetime', '600')
  const whole = await send(ask(plain))
  report('the whole file', [whole.status, content.equals(bytesOf(whole))], [200, true])
  report(
    'its name, in both ways',
    [header(whole, 'content-disposition')],
    [
      `attachment; filename="Gro_e \\"gro_er\\", __.bin"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22gr%C3%B6%C3%9Fer%22%2C%20%E6%97%A5%E6%9C%AC.bin`,
    ],
  )
  report(
    'saved, not run',
    [
      ...['content-type', 'x-content-type-options', 'content-security-policy'],
      ...['cross-origin-resource-policy', 'strict-transport-security'],
    ].map((name) => header(whole, name)),
    [
      ...['application/octet-stream', 'nosniff'],
      "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'",
      ...['cross-origin', 'max-age=31536000; includeSubDomains'],
    ],
  )
  report(
    'kept by its reader alone, nothing told of our disk',
    ['cache-control', 'x-accel-redirect'].map((name) => header(whole, name) ?? 'none'),
    ['private, no-cache', 'none'],
  )
  const digest = Buffer.from(sha256, 'hex').toString('base64')
  report('its checksum', [header(whole, 'repr-digest')], [`sha-256=:${digest}:`])
  await tryParts(send, report, content, plain, header(whole, 'etag'))
  const other = await send(ask(link('--lifetime', '600', '--filename', 'other.txt')))
  report(
    'a name of the link',
    [header(other, 'content-disposition')],
    ['attachment; filename="other.txt"'],
  )
}

async function tryParts(send, report, content, plain, etag) {
  const head = await send(ask(plain, { method: 'HEAD' }))
  report(
    'HEAD',
    [head.status, header(head, 'content-length'), header(head, 'accept-ranges'), head.body],
    [200, String(SIZE), 'bytes', ''],
  )
  const part = await send(ask(plain, { Range: 'bytes=100-199', 'If-Range': etag }))
  report(
    'a part',
    [part.status, header(part, 'content-range'), content.subarray(100, 200).equals(bytesOf(part))],
    [206, `bytes 100-199/${SIZE}`, true],
  )
  const parts = await send(ask(plain, { Range: 'bytes=0-9,-10' }))
  report(
    'two parts',
    [parts.status, header(parts, 'content-type').slice(0, 20)],
    [206, 'multipart/byteranges'],
  )
  const none = await send(ask(plain, { Range: `bytes=${SIZE}-` }))
  report(
    'a part behind the end',
    [none.status, header(none, 'content-range')],
    [416, `bytes */${SIZE}`],
  )
  const anew = await send(ask(plain, { Range: 'bytes=100-199', 'If-Range': '"another"' }))
  report('a part of another version', [anew.status, anew.body.length], [200, SIZE])
  const same = await send(ask(plain, { 'If-None-Match': etag }))
  report('not modified', [same.status, same.body], [304, ''])
}

/** Requests without a valid link must get Gatehouse's own response, and can't bypass it. */
export async function tryRefusals({ send, report }, { content, sha256, link }) {
  const plain = link('--lifetime', '600')
  const changed = await send(ask(altered(plain)))
  report('a changed link', [changed.status, codeOf(changed)], [403, 'link_invalid'])
  const page = await send(ask(altered(plain), { Accept: 'text/html' }))
  report(
    'the same in a browser',
    [page.status, header(page, 'content-type')],
    [403, 'text/html; charset=utf-8'],
  )
  const short = link('--lifetime', '1')
  await sleep(2_000)
  const expired = await send(ask(short))
  report('a link that has ended', [expired.status, codeOf(expired)], [410, 'link_expired'])
  const counted = await send(ask(link('--lifetime', '600', '--limit', '1')))
  report(
    'a counted link, by Gatehouse itself',
    [counted.status, content.equals(bytesOf(counted)), header(counted, 'etag')],
    [200, true, `"${sha256}"`],
  )
  const paths = ['', 'production/', `production/${sha256}`, `production/../production/${sha256}`]
  for (const path of paths) {
    const target = `/gatehouse-files/${path}`
    const found = await send(ask({ host: plain.host, target }))
    report(
      `from outside: ${target.slice(0, 40)}`,
      [found.status, codeOf(found)],
      [404, 'path_not_found'],
    )
  }
  const forged = await send(
    ask(altered(plain), { 'X-Accel-Redirect': `/gatehouse-files/production/${sha256}` }),
  )
  report('a forged X-Accel-Redirect', [forged.status], [403])
}

/** Tries a file that nginx can't read. */
export async function tryMissing({ send, report, files }, { sha256, link }) {
  const path = join(files, 'production', sha256)
  renameSync(path, `${path}.away`)
  const away = await send(ask(link('--lifetime', '600')))
  renameSync(`${path}.away`, path)
  report(
    'a file that is not there',
    [away.status, codeOf(away), header(away, 'retry-after')],
    [503, 'files_unavailable', '5'],
  )
}

/** A token gives access to its file, so it must not be in any log. */
export function tryLogs({ report, folder }, tokens) {
  for (const name of ['gatehouse.log', 'error.log']) {
    const path = join(folder, name)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const found = tokens.some((token) => text.includes(token))
    report(`tokens in nginx's ${name} (${text.split('\n').length - 1} lines)`, [found], [false])
  }
}
