import { describe, expect, it } from 'vitest'
import { newId } from '../../../../ids.ts'
import { BYTES, HASTY, useS3Store } from '../../../../testing/s3/s3-store.ts'
import { createS3Store } from './store.ts'

const { s3, store, file, troubleOf } = useS3Store()

describe('an address in S3', () => {
  const contentHeaders = {
    disposition: `attachment; filename*=UTF-8''caf%C3%A9%20%26.pdf`,
    type: 'text/x-y',
  }
  const addressOf = async (method: 'GET' | 'HEAD') =>
    (await store.addressOf?.({ file, method, contentHeaders, life: 3600 })) as string

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

  it('opens nothing else when it is changed', async () => {
    const address = await addressOf('GET')
    const changes = [
      address.replace(file.id, newId()),
      address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
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
