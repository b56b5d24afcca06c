import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DownloadItem } from '../../../http/dashboard/api.ts'
import { signInAs } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import type { TestService } from '../../../testing/service.ts'
import { startTestService } from '../../../testing/service.ts'
import { useApplication, useS3, useService, useSignedIn } from '../../../testing/use-service.ts'

const PDF = '%PDF-1.7 winter'

/** A scanner that finds the word EICAR harmful, and writes down what it is given. */
function writeScanner(body: string): { path: string; calls: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-scanner-'))
  const [path, calls] = [join(folder, 'scan'), join(folder, 'calls')]
  writeFileSync(
    path,
    `#!/bin/sh\nfor last; do :; done\nenv > ${calls}\nprintf '%s ' "$@" >> ${calls}\n${body}\n`,
  )
  chmodSync(path, 0o755)
  return { path, calls }
}

const FINDS_EICAR = 'if grep -q EICAR "$last"; then exit 1; fi; exit 0'

/** Everything in the folder of files. */
function storedIn({ installation }: TestService): string[] {
  const folder = join(installation.env.GATEHOUSE_DATA as string, 'files', 'production')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name !== 'uploads')
}

/** Uploads a file to a new resource. */
async function upload(service: TestService, name: string, bytes: string) {
  const app = await service.newApplication()
  await app.addResource('issue')
  const staff = (await signInAs(service, 'support')).of(app)
  const path = `/resources/issue/files?name=${encodeURIComponent(name)}`
  return await staff.upload<DownloadItem & { error?: { code: string; message: string } }>(
    'POST',
    path,
    bytes,
  )
}

const refusalOf = async (answer: ReturnType<typeof upload>) => {
  const { status, body } = await answer
  return [status, body.error?.code, body.error?.message]
}

describe.each(databases)('an upload on $name', (database) => {
  describe('within limits', () => {
    const service = useService(database, { env: { GATEHOUSE_LIMIT_UPLOAD_BYTES: '2048' } })
    const app = useApplication(service, { resources: ['slow'] })
    const editor = useSignedIn(service, 'support')

    it('may have the maximum size, and not a byte more', async () => {
      expect((await upload(service, 'a.txt', 'x'.repeat(2_048))).status).toBe(200)
      expect(await refusalOf(upload(service, 'a.txt', 'x'.repeat(2_049)))).toEqual([
        413,
        'file_too_large',
        'The file is too large: at most 2 KiB can be uploaded. The operator can raise this limit (GATEHOUSE_LIMIT_UPLOAD_BYTES).',
      ])
    })

    /** Sends the head of an upload, and `body` of it; the rest never comes. */
    const begin = (headers: Record<string, string>, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = `/dashboard/api/production/${app.aid}/resources/slow/files?name=a.txt`
        const type = { 'content-type': 'application/octet-stream' }
        const all = { ...editor.headers, ...type, ...headers }
        const sent = request(service.url + path, { method: 'POST', headers: all, agent: false })
        sent.on('error', reject)
        sent.on('response', ({ statusCode }) => {
          resolve(statusCode)
          sent.off('error', reject).on('error', () => {})
          sent.destroy()
        })
        sent.flushHeaders()
        if (body !== '') sent.write(body)
      })

    it('is refused before its content is sent, if it says how large it is', async () => {
      expect(await begin({ 'content-length': '5000000' }, '')).toBe(413)
    })

    it('is refused in the middle, if it does not', async () => {
      const before = storedIn(service)
      expect(await begin({ 'transfer-encoding': 'chunked' }, 'x'.repeat(5_000))).toBe(413)
      expect(storedIn(service)).toEqual(before)
    })

    it('must be what its name says, and leaves nothing behind if it is not', async () => {
      const before = storedIn(service)
      const page = '<!doctype html><script>alert(1)</script>'
      expect(await refusalOf(upload(service, 'issue.pdf', page))).toEqual([
        402,
        'file_mismatch',
        'The name ends with .pdf, but the content looks like a web page. Upload the right file, or give it a name that ends with .html.',
      ])
      expect(storedIn(service)).toEqual(before)
      const { status, body } = await upload(service, 'issue.pdf', PDF)
      expect([status, body.type, body.size]).toEqual([200, 'application/pdf', PDF.length])
    })

    it('must not have a name that turns the direction of writing', async () => {
      const [status, , message] = await refusalOf(upload(service, 'issue\u202efdp.exe', 'MZ'))
      expect(status).toBe(400)
      expect(message).toContain('name: must not contain invisible characters that turn')
    })
  })

  it('leaves free what must stay free of the disk', async () => {
    const { bavail, bsize } = statfsSync(tmpdir())
    const env = { GATEHOUSE_UPLOAD_FREE_BYTES: String(bavail * bsize + 2 ** 40) }
    const service = await startTestService(database, { env })
    try {
      const [status, code, message] = await refusalOf(upload(service, 'a.txt', 'x'))
      expect([status, code]).toEqual([503, 'storage_full'])
      expect(message).toMatch(
        /^There is not enough space on the server's disk: [\d.]+ TiB must stay/,
      )
      expect(storedIn(service)).toEqual([])
    } finally {
      await service.stop()
    }
  })

  describe('with a scanner', () => {
    const s3 = useS3()

    it.each([false, true])('is stored only if that finds it clean; in S3: %s', async (inS3) => {
      const { path, calls } = writeScanner(FINDS_EICAR)
      const env = {
        ...(inS3 ? s3.env : {}),
        GATEHOUSE_SCAN_COMMAND: `${path} --quiet -x`,
        GATEHOUSE_METRICS_TOKEN: 'a-token-of-the-operator',
      }
      const service = await startTestService(database, { env })
      try {
        const objects = async () => (inS3 ? await s3.objects() : storedIn(service))
        const [status, code, message] = await refusalOf(upload(service, 'a.pdf', `${PDF} EICAR`))
        expect([status, code]).toEqual([402, 'file_harmful'])
        expect(message).toContain('The scanner says that this file is harmful')
        expect([await objects(), storedIn(service)]).toEqual([[], []])
        const given = readFileSync(calls, 'utf8')
        expect(given).toMatch(/--quiet -x \/.*\/uploads\/\w+ $/)
        expect(given).not.toContain('GATEHOUSE')
        expect((await upload(service, 'a.pdf', PDF)).body.size).toBe(PDF.length)
        expect(await objects()).toHaveLength(1)
        if (inS3) expect(storedIn(service)).toEqual([])
      } finally {
        await service.stop()
      }
    })

    it.each([
      ['exit 2', 'the scanner ended with 2'],
      ['kill -9 $$', 'the scanner'],
      ['exec sleep 600', 'the scanner took longer than 1 seconds'],
    ])('is refused if that can’t say: %s', async (body, problem) => {
      const scan = { GATEHOUSE_SCAN_COMMAND: writeScanner(body).path, GATEHOUSE_SCAN_SECONDS: '1' }
      const service = await startTestService(database, { env: scan })
      try {
        const [status, code, message] = await refusalOf(upload(service, 'a.pdf', PDF))
        expect([status, code]).toEqual([503, 'scan_failed'])
        expect(message).toContain(`could not be scanned: ${problem}`)
        expect(storedIn(service)).toEqual([])
      } finally {
        await service.stop()
      }
    })

    it('is refused if there is no such program', async () => {
      const env = { GATEHOUSE_SCAN_COMMAND: '/nowhere/scan' }
      const service = await startTestService(database, { env })
      try {
        const [, , message] = await refusalOf(upload(service, 'a.pdf', PDF))
        expect(message).toContain('the scanner was not found')
      } finally {
        await service.stop()
      }
    })
  })
})
