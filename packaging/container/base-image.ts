import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The programs that the Dockerfile and the test call. */
const PROGRAMS = [
  'sh',
  'cat',
  'cp',
  'find',
  'gzip',
  'id',
  'install',
  'ln',
  'mkdir',
  'rm',
  'stat',
  'tar',
]

/** Parts of the C library that any image with it has. The build's tools load them, and Node.js doesn't. */
const C_LIBRARY = ['libdl.so.2', 'libpthread.so.0', 'librt.so.1']

const pathOf = (program: string) =>
  execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()

/** Lists the shared libraries that a program loads. */
const librariesOf = (program: string) =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(/g)].map(
    ([, path]) => path as string,
  )

/** Fills a folder with the files that the official images of Node.js have too, as far as the Dockerfile needs them: a shell and
 * its tools, Node.js and npm under /usr/local, and the user `node`. They come from this machine, so it works offline. */
export function makeBaseFileSystem(folder: string): void {
  const at = (path: string) => join(folder, path)
  for (const path of ['usr/bin', 'usr/lib', 'usr/local/bin', 'usr/local/lib/node_modules', 'etc']) {
    mkdirSync(at(path), { recursive: true })
  }
  mkdirSync(at('tmp'), { mode: 0o1777 })
  for (const name of ['bin', 'lib']) symlinkSync(`usr/${name}`, at(name))
  const programs = [...PROGRAMS.map(pathOf), '/usr/bin/env']
  for (const path of programs) cpSync(realpathSync(path), at(path))
  const loaded = [process.execPath, ...programs].flatMap(librariesOf)
  const folderOfC = dirname(loaded.find((path) => path.endsWith('/libc.so.6')) as string)
  for (const path of new Set([...loaded, ...C_LIBRARY.map((name) => join(folderOfC, name))])) {
    mkdirSync(at(dirname(path)), { recursive: true })
    cpSync(realpathSync(path), at(path))
  }
  cpSync(process.execPath, at('usr/local/bin/node'))
  const npm = dirname(dirname(realpathSync(pathOf('npm'))))
  cpSync(npm, at('usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', at('usr/local/bin/npm'))
  // npm finds the registry as it does on this machine.
  mkdirSync(at('etc/ssl/certs'), { recursive: true })
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  cpSync(certificates, at(certificates), { dereference: true })
  writeFileSync(
    at('etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  )
  writeFileSync(at('etc/group'), 'root:x:0:\nnode:x:1000:\n')
  for (const home of ['root', 'home/node']) mkdirSync(at(home), { recursive: true })
}
