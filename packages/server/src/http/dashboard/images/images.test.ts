import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { addDownload } from '../../../testing/downloads/downloads.ts'
import { useApplication, useService, useSignedIn } from '../../../testing/use-service.ts'
import type { DownloadItem } from '../downloads/schemas.ts'
import type { ResourceDetails } from '../resources/schemas.ts'
import type { ShownImage } from './schemas.ts'

const draw = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: 'green' } })
    .png()
    .toBuffer()

describe.each(entryPointDatabases)('images at the dashboard on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['issue'] })
  const owner = useSignedIn(service, 'owner')
  const put = async (path: string, bytes: string | Buffer) =>
    await owner.of(app).upload<ShownImage>('PUT', path, bytes)

  it('are shown instead of the linked one, until they are removed', async () => {
    const { id } = await addDownload(app, 'issue')
    const image = 'https://example.com/a.png'
    await owner.of(app).request('PATCH', '/resources/issue', { image })
    const shown = async () => {
      const resource = await owner.of(app).request<ResourceDetails>('GET', '/resources/issue')
      const download = await owner.of(app).request<DownloadItem>('GET', `/downloads/${id}`)
      return [resource.body.image, download.body.image]
    }
    expect(await shown()).toEqual([image, ''])
    const first = await put('/resources/issue/image', await draw())
    expect([first.status, first.body.image]).toEqual([
      200,
      expect.stringMatching(/\/images\/\w{10}\/[0-9a-f]{32}j-800\.jpg$/),
    ])
    await put(`/downloads/${id}/image`, await draw())
    expect(await shown()).toEqual([first.body.image, first.body.image?.replace('-800', '-1600')])
    expect((await fetch(first.body.image as string)).headers.get('content-type')).toBe('image/jpeg')
    await owner.of(app).request('DELETE', '/resources/issue/image')
    await owner.of(app).request('DELETE', `/downloads/${id}/image`)
    expect(await shown()).toEqual([image, ''])
    expect((await fetch(first.body.image as string)).status).toBe(404)
  })

  it('can be the logo of the application', async () => {
    const { body } = await put('/settings/logo', await draw())
    expect((await fetch(body.image as string)).status).toBe(200)
    const { read } = app.environment.database
    const row = () => read.selectFrom('applications').selectAll().where('aid', '=', app.aid)
    expect((await row().executeTakeFirstOrThrow()).logo_id).toMatch(/^[0-9a-f]{32}j$/)
    await owner.of(app).request('DELETE', '/settings/logo')
    expect((await row().executeTakeFirstOrThrow()).logo_id).toBeNull()
  })

  it('are refused with a reason, and what was there stays', async () => {
    const { body } = await put('/resources/issue/image', await draw())
    for (const bytes of ['', 'no image at all, just text', Buffer.alloc(10_000_001)]) {
      const refused = await put('/resources/issue/image', bytes)
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { error: { code: 'invalid_parameter', parameter: 'image' } },
      ])
    }
    expect((await fetch(body.image as string)).status).toBe(200)
    expect((await put('/resources/none/image', await draw())).status).toBe(404)
    expect((await put('/downloads/none/image', await draw())).status).toBe(404)
  })
})
