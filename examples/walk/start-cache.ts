import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireTools } from '../../scripts/tools.mjs'
import { freePort } from './free-port.ts'
import type { Site } from './start-site.ts'

/** nginx as a cache that all visitors of the sites share. It keeps what its operator wants kept, also without a word of
 * the site about it: only the headers of an answer stop it. */
const configOf = (folder: string, ports: ReadonlyMap<string, number>) => `
daemon off;
error_log stderr notice;
pid ${folder}/pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=shared:1m;
  proxy_cache shared;
  proxy_cache_valid 200 303 402 503 10m;
  proxy_cache_key $proxy_host$request_uri;
  add_header X-Cache $upstream_cache_status always;
  ${[...ports].map(([origin, port]) => `server { listen 127.0.0.1:${port}; location / { proxy_pass ${origin}; } }`).join('\n  ')}
}`

export interface SharedCache {
  /** The address of the cache in front of a site. */
  inFrontOf(site: Site): string
  stop(): Promise<void>
}

/** Starts nginx in front of sites. */
export async function startCache(sites: readonly Site[]): Promise<SharedCache> {
  requireTools({ nginx: 'nginx-light' })
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cache-'))
  const ports = new Map<string, number>()
  for (const { origin } of sites) ports.set(origin, await freePort())
  writeFileSync(join(folder, 'nginx.conf'), configOf(folder, ports))
  const inFrontOf = ({ origin }: Site) => `http://127.0.0.1:${ports.get(origin)}`
  const stopNginx = await startNginx(folder)
  return {
    inFrontOf,
    async stop() {
      await stopNginx()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Resolves when it serves, with the function that stops it. */
async function startNginx(folder: string): Promise<() => Promise<void>> {
  const options = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  const nginx = spawn('nginx', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(nginx, 'close')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    nginx.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('start worker process')) resolve()
    })
    nginx.once('error', reject)
    ended.then(() => reject(new Error(`nginx ended:\n${log}`)), reject)
  })
  return async () => {
    nginx.kill()
    await ended
  }
}
