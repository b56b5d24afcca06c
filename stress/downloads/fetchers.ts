import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { downloadFile } from '@gatehouse/sdk/download'
import { fetchWithBrowser } from './chromium.ts'

/** A program that downloads files and can resume. */
export interface Fetcher {
  name: string
  /** Resolves when the program reports that the file is complete. */
  fetch(url: string, path: string): Promise<void>
  /** Whether it takes truncated headers for complete ones, and what it has received for the file. */
  trustsHalfHeads?: true
}

interface Tools {
  requireTools(packages: Record<string, string>): void
}

/** Makes sure that the programs for these tests are installed. */
export async function requireTools(): Promise<void> {
  const script = new URL('../../scripts/tools.mjs', import.meta.url).href
  const { requireTools: require } = (await import(script)) as Tools
  require({ curl: 'curl', wget: 'wget', aria2c: 'aria2' })
}

async function runTool(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2_000)
  })
  const [code] = await once(child, 'close')
  if (code !== 0 && !BROKEN.has(Number(code))) {
    throw new Error(`${program} ended with ${code}: ${stderr}`)
  }
  return Number(code)
}

/** curl's exit codes for a broken connection: while connecting, before a response, or in the middle of one. */
const BROKEN = new Set([7, 18, 52, 56])

/** Runs curl again until it succeeds, like a person who presses "up" and "return". */
const curlWith = (name: string, options: readonly string[]): Fetcher => ({
  name,
  trustsHalfHeads: true,
  async fetch(url, path) {
    const args = ['-sS', '--fail', '-C', '-', ...options, '-o', path, url]
    while ((await runTool('curl', args)) !== 0) await sleep(50)
  },
})

export const curl = curlWith('curl -C -', [])
/** Slow enough for several kills during one download. */
export const slowCurl = curlWith('curl -C - --limit-rate', ['--limit-rate', '150M'])

const wget: Fetcher = {
  name: 'wget -c',
  async fetch(url, path) {
    await runTool('wget', ['-nv', '-c', '--tries=1000', '--waitretry=0', '-O', path, url])
  },
}

const aria2c: Fetcher = {
  name: 'aria2c -x4 -s4',
  async fetch(url, path) {
    const place = ['-d', dirname(path), '-o', basename(path), '--file-allocation=none']
    await runTool('aria2c', ['-x4', '-s4', '-m0', '--retry-wait=0', ...place, url])
  },
}

export const sdk: Fetcher = {
  name: "the SDK's downloadFile",
  async fetch(url, path) {
    const { verified } = await downloadFile(url, path, { firstPause: 10, retries: 50 })
    if (!verified) throw new Error('the SDK could not check the file')
  },
}

const chromium: Fetcher = {
  name: 'Chromium',
  trustsHalfHeads: true,
  fetch: fetchWithBrowser,
}

export const fetchers: readonly Fetcher[] = [curl, wget, aria2c, sdk, chromium]

/** Fetches a file once, as fast as possible, and discards it. Resolves to the speed in bytes per second. */
export async function fetchToNowhere(url: string): Promise<number> {
  const child = spawn('curl', ['-sS', '--fail', '-o', '/dev/null', '-w', '%{speed_download}', url])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`curl ended with ${code}`)
  return Number(output)
}

export async function fetchAgain(fetcher: Fetcher, url: string, path: string): Promise<void> {
  await rm(path, { force: true })
  await fetcher.fetch(url, path)
}
