import { describe, expect, it } from 'vitest'
import { refused } from '../testing/config/refusals.ts'
import { readConfig } from './config.ts'

describe('the settings', () => {
  describe('of files', () => {
    const read = (more: Record<string, string> = {}) =>
      readConfig({ GATEHOUSE_S3_BUCKET: 'my-bucket', ...more }).s3

    it('need none: files are in the data folder, links live as long as asked for', () => {
      const { s3, downloads, limits } = readConfig({})
      expect({ s3, downloads }).toEqual({
        s3: undefined,
        downloads: { accelPath: undefined, maxLinkLifetime: undefined },
      })
      expect(limits.downloads).toBe(1_000)
    })

    it('are a path of nginx, a longest life and a limit', () => {
      const { downloads, limits } = readConfig({
        GATEHOUSE_DOWNLOAD_ACCEL: '/private/files',
        GATEHOUSE_DOWNLOAD_LONGEST_LIFE: '604800',
        GATEHOUSE_LIMIT_DOWNLOADS: '50',
      })
      expect(downloads).toEqual({ accelPath: '/private/files', maxLinkLifetime: 604_800 })
      expect(limits.downloads).toBe(50)
    })

    it('are for S3 the name of a bucket, and what else is special about it', () => {
      expect(read()).toEqual({
        bucket: 'my-bucket',
        region: 'us-east-1',
        endpoint: undefined,
        pathStyle: false,
        keys: undefined,
        folder: 'gatehouse',
        delivery: 'proxy',
      })
      const all = read({
        GATEHOUSE_S3_REGION: 'eu-central-1',
        GATEHOUSE_S3_ENDPOINT: 'http://127.0.0.1:9000',
        GATEHOUSE_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
        GATEHOUSE_S3_SECRET_ACCESS_KEY: 'hunter22/+=',
        GATEHOUSE_S3_FOLDER: 'media/gate.house',
        GATEHOUSE_S3_DELIVERY: 'redirect',
      })
      expect(all).toEqual({
        bucket: 'my-bucket',
        region: 'eu-central-1',
        endpoint: 'http://127.0.0.1:9000',
        pathStyle: true,
        keys: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hunter22/+=' },
        folder: 'media/gate.house',
        delivery: 'redirect',
      })
    })

    it('say whether the bucket is in the path of addresses: off for Amazon alone, if unset', () => {
      const endpoint = { GATEHOUSE_S3_ENDPOINT: 'https://s3.example.com/storage/v1' }
      const of = (more: Record<string, string>) => read(more)?.pathStyle
      expect(of({ ...endpoint, GATEHOUSE_S3_PATH_STYLE: 'off' })).toBe(false)
      expect(of(endpoint)).toBe(true)
      expect(of({ GATEHOUSE_S3_PATH_STYLE: 'on' })).toBe(true)
    })

    it.each([
      ['REGION', ['EU', 'eu central', 'https://x']],
      ['ENDPOINT', ['s3.example.com', 'ftp://x', 'http://', 'https://u:hunter22@x']],
      ['ENDPOINT', ['https://x/?key=hunter22', 'https://x/#hunter22']],
      ['ENDPOINT', ['https://s3.example.com/my-bucket', 'https://x/my-bucket/']],
      ['PATH_STYLE', ['true', 'OFF']],
      ['FOLDER', ['/a', 'a/', 'a//b', '..', 'a/../b', 'a b', 'ä']],
      ['DELIVERY', ['direct', 'PROXY']],
    ])('refuse a wrong S3_%s, and never show it', (name, values) => {
      for (const value of values) {
        const env = { GATEHOUSE_S3_BUCKET: 'my-bucket', [`GATEHOUSE_S3_${name}`]: value }
        const message = refused(env)
        expect(message, value).toMatch(new RegExp(`^GATEHOUSE_S3_${name} must be [^;]+$`))
        expect(message).not.toContain('hunter22')
      }
    })

    it('refuse keys that can be none, and never show them', () => {
      const keys = {
        GATEHOUSE_S3_BUCKET: 'my-bucket',
        GATEHOUSE_S3_ACCESS_KEY_ID: 'hunter22 hunter22',
        GATEHOUSE_S3_SECRET_ACCESS_KEY: 'hünter22',
      }
      expect(refused(keys)).toBe(
        'GATEHOUSE_S3_ACCESS_KEY_ID must be text without white space; ' +
          'GATEHOUSE_S3_SECRET_ACCESS_KEY must be text without white space',
      )
    })

    it('take no key without the other', () => {
      const [id, secret] = ['GATEHOUSE_S3_ACCESS_KEY_ID', 'GATEHOUSE_S3_SECRET_ACCESS_KEY']
      const bucket = { GATEHOUSE_S3_BUCKET: 'my-bucket' }
      expect(refused({ ...bucket, [id]: 'x' })).toBe(`${secret} must be set too: ${id} is set`)
      expect(refused({ ...bucket, [secret]: 'x' })).toBe(`${id} must be set too: ${secret} is set`)
    })

    it.each(['REGION', 'ENDPOINT', 'FOLDER', 'DELIVERY', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])(
      'mean nothing without a bucket: S3_%s',
      (name) => {
        const values: Record<string, string> = { ENDPOINT: 'http://x', DELIVERY: 'proxy' }
        const message = refused({ [`GATEHOUSE_S3_${name}`]: values[name] ?? 'x' })
        expect(message).toContain(
          `GATEHOUSE_S3_BUCKET must be set too: GATEHOUSE_S3_${name} is set`,
        )
      },
    )

    it('are meant by what is nearly their name', () => {
      expect(refused({ GATEHOUSE_S3_BUKCET: 'x' })).toBe(
        'GATEHOUSE_S3_BUKCET is not a Gatehouse setting (did you mean GATEHOUSE_S3_BUCKET?)',
      )
      expect(refused({ GATEHOUSE_S_BUCKET: 'x' })).toContain('did you mean GATEHOUSE_S3_BUCKET?')
      expect(refused({ GATEHOUSE_S3_KEYS: 'x' })).toBe(
        'GATEHOUSE_S3_KEYS is not a Gatehouse setting',
      )
      // A letter was typed in place of the "=".
      expect(refused({ GATEHOUSE_S3_SECRET_ACCESS_KEYXHUNTER22: '' })).toBe(
        'GATEHOUSE_S3_SECRET_ACCESS_KEY… is not a Gatehouse setting',
      )
    })
  })
})
