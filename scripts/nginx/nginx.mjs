// Starts a real nginx on loopback, with the configuration from the docs.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The variable NGINX selects another program than the one on the PATH. */
export const nginxBinary = process.env.NGINX ?? 'nginx'

function documented(page) {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return /```nginx\n([\s\S]*?)```/.exec(text)[1]
}

/** The documented server with other addresses and logs, and without TLS. `files` is the folder of the files that nginx
 * sends instead of Gatehouse. */
export function documentedServer({ folder, gatehousePort, nginxPort, files }) {
  const server = documented('run/nginx.md')
    .replace('listen 443 ssl', `listen 127.0.0.1:${nginxPort}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${gatehousePort}`)
    // The test listens without TLS.
    .replaceAll('X-Forwarded-Proto $scheme', 'X-Forwarded-Proto https')
    .replace('/var/log/nginx/', `${folder}/`)
    .replace(/^\s*ssl_certificate.*\n/gm, '')
  const locations = documented('files/nginx.md').replace('/var/lib/gatehouse/files', files)
  return server.replace(/}\s*$/, `${locations}}\n`)
}

/** Starts nginx in its own folder, as the current user. */
export function startNginx(folder, servers) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  const text = `${user}worker_processes 1;\ndaemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${temporary}\n${servers}}\n`
  writeFileSync(join(folder, 'nginx.conf'), text)
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  return spawn(nginxBinary, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
