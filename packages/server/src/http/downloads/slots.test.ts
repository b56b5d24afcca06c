import { expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { errorCode, fetchBytes, openFetch } from '../../testing/http/fetching.ts'
import { startTestService } from '../../testing/service.ts'

const [sqlite] = databases

it('one address can take some of the downloads at a time, and leaves the rest to others', async () => {
  const service = await startTestService(sqlite, {
    env: {
      GATEHOUSE_LIMIT_DOWNLOADS: '4',
      GATEHOUSE_LIMIT_DOWNLOADS_PER_ADDRESS: '2',
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  const app = await service.newApplication()
  await app.addResource('film')
  await addDownload(app, 'film', Buffer.alloc(16 * 1024 * 1024, 7))
  const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 60 })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const greedy = [await openFetch(url, from('10.0.0.1')), await openFetch(url, from('10.0.0.1'))]
  const refused = await fetchBytes(url, from('10.0.0.1'))
  expect([refused.status, errorCode(refused)]).toEqual([503, 'overloaded'])
  const other = await openFetch(url, from('10.0.0.2'))
  expect(other.statusCode).toBe(200)
  // A download that ends frees its slot.
  greedy[0]?.destroy()
  const again = async () => (await fetchBytes(url, from('10.0.0.1'), 'HEAD')).status
  await expect.poll(again).toBe(200)
  for (const answer of [...greedy, other]) answer.destroy()
  await service.stop()
})
