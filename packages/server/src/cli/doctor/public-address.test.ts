import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import type { Checkup } from '../../testing/commands/checkup.ts'
import { databases } from '../../testing/databases.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

describe.each(databases)('doctor on $name asks through the public address', (database) => {
  const service = useService(database, { useRealTime: true })
  useApplication(service)
  let proxy: Server
  let address: string
  /** What the proxy makes of a target. */
  let change = (target: string) => target
  beforeAll(async () => {
    proxy = createServer((received, response) => {
      const { host, port } = new URL(service.url)
      const path = change(received.url as string)
      const options = { host: '127.0.0.1', port, path, headers: { ...received.headers, host } }
      request(options, (answer) => {
        response.writeHead(answer.statusCode as number, answer.headers)
        answer.pipe(response)
      }).end()
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  afterAll(() => proxy.close())

  async function findingAt(url: string) {
    const env = { ...service.installation.env, GATEHOUSE_BASE_URL: url }
    const { stdout } = await inProcessCli(env).run('doctor', '--json')
    const { checks } = JSON.parse(stdout) as Checkup
    return checks.find(({ check }) => check === 'public address')
  }

  it('and is content if nothing is changed on the way', async () => {
    expect(await findingAt(address)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('passes signed requests on unchanged'),
    })
  })

  it.each([
    ['decodes a slash', (target: string) => target.replace('%2F', '/')],
    ['decodes a tilde', (target: string) => target.replace('%7E', '~')],
    ['writes escapes in capitals', (target: string) => target.replace('%c3%bc', '%C3%BC')],
    ['drops empty parameters', (target: string) => target.replace('&&', '&')],
    ['writes a space as a plus', (target: string) => target.replace('%20', '+')],
  ])('and names a proxy that %s', async (_, how) => {
    change = how
    const finding = await findingAt(address)
    change = (target) => target
    expect(finding).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('changes requests'),
    })
  })

  it('and says that there is another service, or none', async () => {
    change = () => '/nothing'
    expect(await findingAt(address)).toMatchObject({
      status: 'warning',
      message: `${address} answers a signed request with 404 path_not_found`,
    })
    change = (target) => target
    expect(await findingAt('http://127.0.0.1:1')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining("can't be reached from this machine"),
    })
  })
})
