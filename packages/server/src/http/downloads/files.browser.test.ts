import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeDownload } from '../../domain/downloads/downloads.ts'
import { type ImageOwner, setImage } from '../../domain/images/attach.ts'
import { storeImage } from '../../domain/images/images.ts'
import { findBarriers } from '../../testing/browser/axe.ts'
import { useDashboard } from '../../testing/browser/dashboard-browser.ts'
import { DARK_PHONE, overflowOf } from '../../testing/browser/dashboard-parts.ts'
import { addDownload, testActor } from '../../testing/downloads/downloads.ts'
import { useFixture } from '../../testing/fixtures.ts'

describe("a reader's files with a browser", () => {
  const server = useDashboard()
  const app = useFixture(() => server.service.newApplication('sandbox'))
  let link: string
  let id: string

  const show = async (owner: ImageOwner, background: string) => {
    const create = { width: 900, height: 600, channels: 3, background } as const
    const bytes = await sharp({ create }).png().toBuffer()
    const { environment, aid } = app
    await storeImage(environment, aid, bytes, (image) =>
      environment.database.write((trx) => setImage(trx, owner, image, testActor(environment))),
    )
  }

  beforeAll(async () => {
    const { environment, aid } = app
    await app.addResource('winter', { name: 'Winter issue' })
    const add = (title: string, size: number) =>
      addDownload(app, 'winter', Buffer.alloc(size, title), {
        ...{ title, fileName: `${title}.pdf`, type: 'application/pdf', isAdditional: true },
      })
    id = (await add('The issue', 2_400_000)).id
    await add('A very long title of a booklet that comes with it', 80_000)
    await environment.database.write((trx) =>
      describeDownload(
        trx,
        { aid, rid: 'winter', id },
        { description: '120 pages, with **all** stories:\n\n- snow\n- [ice](https://example.com)' },
        testActor(environment),
      ),
    )
    await show({ kind: 'resource', aid, rid: 'winter' }, '#1d5d8a')
    await show({ kind: 'download', aid, id }, '#8a3d1d')
    const email = 'ann@example.com'
    await app.client.grantAccess({ rid: 'winter', email, user_ref: 'ann' })
    const { read } = environment.database
    const access = await read
      .selectFrom('access')
      .select('id')
      .where('aid', '=', aid)
      .executeTakeFirstOrThrow()
    link = `${app.baseUrl}/files/${new URL(await environment.filesLink({ aid, id: access.id, linkNumber: 0 }, environment.clock())).pathname.split('/').at(-1)}`
  })

  it('are listed with their cover and downloaded with one click, on any screen', async () => {
    for (const options of [{ viewport: { width: 1440, height: 900 } }, DARK_PHONE]) {
      const { page, context } = await server.newPerson(options)
      await page.goto(link)
      await page.getByRole('heading', { name: 'Winter issue' }).waitFor()
      const cover = page.locator('img.cover')
      expect(await cover.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(800)
      expect(await findBarriers(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download The issue' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('The issue.pdf')
      expect(readFileSync(await download.path()).length).toBe(2_400_000)
      await page.getByRole('link', { name: 'The issue' }).click()
      await page.getByRole('heading', { name: 'The issue' }).waitFor()
      expect(await page.getByRole('link', { name: 'ice' }).getAttribute('href')).toBe(
        'https://example.com',
      )
      expect(await findBarriers(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
      await page.getByRole('link', { name: 'All 2 files' }).click()
      await page.getByRole('heading', { name: 'Winter issue' }).waitFor()
      await context.close()
    }
  })

  it('are gone with the access, which the page says', async () => {
    await app.client.revokeAccess({ rid: 'winter', user_ref: 'ann' })
    const { page, context } = await server.newPerson(DARK_PHONE)
    for (const url of [link, `${link}/${id}`]) {
      await page.goto(url)
      await page.getByRole('heading', { name: 'Your access has ended' }).waitFor()
      expect(await page.getByRole('button').count()).toBe(0)
    }
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  })

  it('complain about nothing but the access that has ended', () =>
    expect(server.browserErrors.filter((error) => !error.includes('status of 403'))).toEqual([]))
})
