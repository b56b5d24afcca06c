import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, stop, until } from '../../scripts/loopback.mjs'
import type { ForeignS3 } from './s3-servers.ts'

/** The programs of Debian's swift-proxy, swift-account, swift-container, swift-object and memcached. */
export const SWIFT_PROGRAMS = [
  'swift-ring-builder',
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
]

const STORES = ['account', 'container', 'object'] as const

/** Starts OpenStack Swift with one device in this folder, and its S3 interface. */
export async function startSwift(folder: string): Promise<ForeignS3> {
  mkdirSync(join(folder, 'nodes/disk'), { recursive: true })
  const children: ChildProcess[] = []
  for (const store of STORES) {
    const port = await freePort()
    buildRing(folder, store, port)
    children.push(startServer(folder, store, storeConfig(folder, store, port)))
  }
  const [port, cachePort] = [await freePort(), await freePort()]
  children.push(startCache(cachePort))
  children.push(startServer(folder, 'proxy', proxyConfig(folder, port, cachePort)))
  const url = `http://127.0.0.1:${port}`
  await until('Swift', async () => (await fetch(`${url}/healthcheck`)).ok)
  return {
    url,
    // An account of `tempauth`: its name, and its key.
    keys: { accessKeyId: 'test:tester', secretAccessKey: 'testing' },
    canListUploads: true,
    async stop() {
      for (const child of children) await stop(child)
    },
  }
}

function buildRing(folder: string, store: string, port: number): void {
  const builder = (...args: string[]) =>
    execFileSync('swift-ring-builder', [join(folder, `${store}.builder`), ...args])
  builder('create', '4', '1', '1')
  builder('add', `r1z1-127.0.0.1:${port}/disk`, '1')
  builder('rebalance')
}

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
workers = 0
log_level = ERROR
`

const storeConfig = (folder: string, store: string, port: number) => `${common(folder, port)}
devices = ${folder}/nodes
mount_check = false
[pipeline:main]
pipeline = ${store}-server
[app:${store}-server]
use = egg:swift#${store}
`

const proxyConfig = (folder: string, port: number, cachePort: number) => `${common(folder, port)}
[pipeline:main]
pipeline = healthcheck cache proxy-logging bulk s3api tempauth slo dlo proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`

/** Refuses to run as root, as which such tests often run. */
function startCache(port: number): ChildProcess {
  const place = ['-l', '127.0.0.1', '-p', String(port), '-U', '0', '-u', 'nobody']
  return spawn('memcached', place, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function startServer(folder: string, name: string, config: string): ChildProcess {
  const file = join(folder, `${name}-server.conf`)
  writeFileSync(file, config)
  return spawn(`swift-${name}-server`, [file], { stdio: ['ignore', 'ignore', 'inherit'] })
}
