// A real nginx on loopback with the configuration that the documents give.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** NGINX names another one than that on the PATH. */
export const nginxBinary = process.env.NGINX ?? 'nginx'

function documented(page) {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return /```nginx\n([\s\S]*?)```/.exec(text)[1]
}

/** The documented server, but for its addresses, its logs and TLS. `files` is the folder of the files that
 * nginx delivers in Gatehouse's place. */
export function documentedServer({ folder, gatehousePort, nginxPort, files }) {
  const server = documented('running-behind-nginx.md')
    .replace('listen 443 ssl', `listen 127.0.0.1:${nginxPort}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${gatehousePort}`)
    .replace('/var/log/nginx/', `${folder}/`)
    .replace(/^\s*ssl_certificate.*\n/gm, '')
  const locations = documented('downloads.md').replace('/var/lib/gatehouse/files', files)
  return server.replace(/}\s*$/, `${locations}}\n`)
}

/** Starts one with a folder of its own, as the user who runs this. */
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
