import dns, { type LookupAddress } from 'node:dns'
import { describe, expect, it, vi } from 'vitest'
import { newId } from '../../../../ids.ts'
import { fetchBytes } from '../../../../testing/http/fetching.ts'
import { BYTES, HASTY, KEY, useS3Store } from '../../../../testing/s3/s3-store.ts'
import { readFile } from '../../../../testing/s3/store-fixtures.ts'
import { createS3Store } from './store.ts'

const { s3, store, file, troubleOf } = useS3Store()

type LookupCallback = (error: null, addresses: LookupAddress[]) => void

describe('an address in S3', () => {
  const contentHeaders = {
    disposition: `attachment; filename*=UTF-8''caf%C3%A9%20%26.pdf`,
    type: 'text/x-y',
  }
  const addressOf = async (method: 'GET' | 'HEAD', by = store) =>
    (await by.addressOf?.({ file, method, contentHeaders, life: 3600 })) as string

  it('is there only where readers are to be sent to it', async () => {
    const proxied = createS3Store({ ...s3.options, delivery: 'proxy' }, 'production')
    expect(proxied.addressOf).toBeUndefined()
    expect(proxied.pathOf).toBeUndefined()
    await proxied.close()
  })

  it('brings the whole file with its name and type, or any part of it', async () => {
    const address = await addressOf('GET')
    const answer = await fetch(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(contentHeaders.disposition)
    expect(answer.headers.get('content-type')).toBe(contentHeaders.type)
    expect(Buffer.from(await answer.arrayBuffer()).equals(BYTES)).toBe(true)
    const part = await fetch(address, { headers: { range: 'bytes=5-9' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(BYTES.subarray(5, 10))
  })

  it('answers HEAD where it was made for that, and nothing else', async () => {
    const answer = await fetch(await addressOf('HEAD'), { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(file.size))
    expect(answer.headers.get('content-disposition')).toBe(contentHeaders.disposition)
    expect((await fetch(await addressOf('HEAD'))).status).toBe(403)
    expect((await fetch(await addressOf('GET'), { method: 'DELETE' })).status).toBe(403)
  })

  it('is dead after a minute', async () => {
    const address = await addressOf('GET')
    s3.now = () => Date.now() + 55_000
    expect((await fetch(address, { headers: { range: 'bytes=0-0' } })).status).toBe(206)
    s3.now = () => Date.now() + 61_000
    expect((await fetch(address)).status).toBe(403)
  })

  it.each([
    ['slow', 300],
    ['fast', -1200],
  ])('works for a minute from a machine whose clock is %s', async (_, seconds) => {
    const ahead = (more: number) => () => Date.now() + (seconds + more) * 1000
    s3.now = ahead(0)
    const fresh = createS3Store(s3.options, 'production')
    const address = await addressOf('GET', fresh)
    expect((await fetch(address)).status).toBe(200)
    s3.now = ahead(55)
    expect((await fetch(address)).status).toBe(200)
    s3.now = ahead(61)
    expect((await fetch(address)).status).toBe(403)
    await fresh.close()
  })

  it('works at a server whose clock is not quite that of the one that was asked', async () => {
    const address = await addressOf('GET')
    s3.now = () => Date.now() - 25_000
    expect((await fetch(address)).status).toBe(200)
  })

  it("asks for the server's clock once, and again when this machine's clock was corrected", async () => {
    const asked = () => s3.requests.filter(({ action }) => action === 'HeadObject').length
    const fresh = createS3Store(s3.options, 'production')
    s3.now = () => real() + 300_000
    const { now: real } = Date
    await addressOf('GET', fresh)
    await addressOf('GET', fresh)
    expect(asked()).toBe(1)
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + 300_000)
    const address = await addressOf('GET', fresh).finally(() => clock.mockRestore())
    expect(asked()).toBe(2)
    expect((await fetch(address)).status).toBe(200)
    await fresh.close()
  })

  it('is not signed by the time of an answer that a cache kept', async () => {
    const fresh = createS3Store(s3.options, 'production')
    s3.now = () => Date.now() - 120_000
    s3.headers = { age: '120' }
    const address = await addressOf('GET', fresh)
    s3.now = Date.now
    expect((await fetch(address)).status).toBe(200)
    await fresh.close()
  })

  it("is signed by this machine's clock while the server does not answer", async () => {
    const fresh = createS3Store(s3.options, 'production', HASTY)
    await s3.refuse()
    const address = await addressOf('GET', fresh)
    await s3.accept()
    expect((await fetch(address)).status).toBe(200)
    await fresh.close()
  })

  it('has the bucket in its host name where it is to be there', async () => {
    const endpoint = s3.url.replace('127.0.0.1', 's3.example.com')
    const virtual = createS3Store({ ...s3.options, endpoint, pathStyle: false }, 'production')
    // Every name leads to this machine.
    const lookup = vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((_name: string, _options: object, done: LookupCallback) =>
        done(null, [{ address: '127.0.0.1', family: 4 }])) as never)
    const read = await readFile(virtual, file, { first: 1, last: 2 })
    const { host, pathname, href } = new URL(await addressOf('GET', virtual))
    lookup.mockRestore()
    expect(read).toEqual(BYTES.subarray(1, 3))
    expect(host).toBe(`${s3.options.bucket}.${new URL(endpoint).host}`)
    expect(pathname).toBe(`/${KEY}${file.id}`)
    const answer = await fetchBytes(href.replace(host, new URL(s3.url).host), { host })
    expect([answer.status, answer.body.equals(BYTES)]).toEqual([200, true])
    await virtual.close()
  })

  it('opens nothing else when it is changed', async () => {
    const address = await addressOf('GET')
    const changes = [
      address.replace(file.id, newId()),
      address.replace('X-Amz-Expires=90', 'X-Amz-Expires=600'),
      address.replace('caf', 'kaf'),
      address.replace('text%2Fx-y', 'text%2Fhtml'),
    ]
    for (const changed of changes) {
      expect(changed).not.toBe(address)
      expect((await fetch(changed)).status).toBe(403)
    }
  })

  it("says that it can't be made without keys", async () => {
    const { AWS_EC2_METADATA_DISABLED: before } = process.env
    process.env.AWS_EC2_METADATA_DISABLED = 'true'
    const keyless = createS3Store({ ...s3.options, keys: undefined }, 'production', HASTY)
    const made = Promise.resolve(
      keyless.addressOf?.({ file, method: 'GET', contentHeaders, life: 60 }),
    )
    expect(await troubleOf(made)).toContain('GATEHOUSE_S3_ACCESS_KEY_ID')
    await keyless.close()
    if (before === undefined) delete process.env.AWS_EC2_METADATA_DISABLED
    else process.env.AWS_EC2_METADATA_DISABLED = before
  })
})
