import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPrice } from '../../domain/resources/prices.ts'
import { type Firefox, launchFirefox } from '../../testing/browser/firefox.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { cardNumber, ONCE } from '../../testing/payments/shop.ts'
import { type ServerProcess, startProcess } from '../../testing/processes/process.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { useInstallation, useSmtp } from '../../testing/use-service.ts'

const READER = 'frida@example.com'
const FILE = Buffer.alloc(300_000, 'winter ')
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a reader with Firefox', () => {
  const smtp = useSmtp()
  const installation = useInstallation(databases[0])
  let firefox: Firefox
  let server: ServerProcess
  let service: TestService
  let page: Page
  let checkout: string
  const complaints: string[] = []

  beforeAll(async () => {
    const env = { ...installation.env, GATEHOUSE_SANDBOX_SMTP_URL: smtp.url }
    server = await startProcess({ env })
    const servedAt = await server.url
    service = await startTestService(databases[0], {
      ...{ installation, env, useRealTime: true, servedAt },
    })
    checkout = await addIssue(service)
    firefox = await launchFirefox()
    page = await firefox.browser.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(async () => {
    await firefox?.stop()
    await server?.kill()
    await service?.stop()
  })

  const clickOn = async (name: string, role: string) => {
    const loaded = page.waitForNavigation()
    await page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click()
    await loaded
  }
  const press = (name: string) => clickOn(name, 'button')
  const follow = (name: string) => clickOn(name, 'link')
  const type = (label: string, text: string) =>
    page.locator(`::-p-aria([name="${label}"][role="textbox"])`).fill(text)
  const heading = () => page.$eval('h1', (one) => one.textContent)

  /** Waits until Firefox has saved exactly one more file, and takes it away. */
  async function saved(name: string): Promise<Buffer> {
    const path = join(firefox.downloads, name)
    // Firefox creates the file first, and another one with the bytes that have arrived so far.
    const isWhole = () => existsSync(path) && !existsSync(`${path}.part`)
    await expect.poll(() => isWhole() && readFileSync(path).length).toBe(FILE.length)
    expect(readdirSync(firefox.downloads).filter((one) => one.endsWith('.pdf'))).toEqual([name])
    return readFileSync(path)
  }

  it('sees what to pay, pays, and is thanked', async () => {
    await page.goto(checkout)
    expect(await heading()).toBe('Winter issue')
    await type('Email', READER)
    await press('Pay €4.99')
    await type('Card number', cardNumber('good'))
    await type('Expires (MM/YY)', '12/40')
    await type('Security code', '123')
    await press('Pay €4.99')
    expect(await heading()).toBe('Thank you')
  })

  it('gets a receipt, and downloads the file from its page', async () => {
    await expect.poll(() => smtp.mailsTo(READER).length).toBe(1)
    const address = /http:[^"]+\/files\/[^"/]+\/[^"]+/.exec(
      smtp.mailsTo(READER)[0]?.mail.html ?? '',
    )
    // The page of all files is the one above.
    await page.goto(new URL('.', address?.[0]).href.slice(0, -1))
    expect(await heading()).toBe('Winter issue')
    await follow('The issue')
    expect(await heading()).toBe('The issue')
    await page.locator('::-p-aria([name="Download The issue"][role="button"])').click()
    expect(sha256(await saved('The issue.pdf'))).toBe(sha256(FILE))
  })

  it('finds nothing on the console', () => expect(complaints).toEqual([]))
})

/** Adds an application that sells one issue with a file; returns the address of its checkout page. */
async function addIssue(service: TestService): Promise<string> {
  const app = await service.newApplication('sandbox')
  const { environment, aid, baseUrl } = app
  await app.addResource('winter', { name: 'Winter issue' })
  const price = { aid, rid: 'winter', ...ONCE }
  await environment.database.write((trx) => createPrice(trx, price, environment.clock(), 'test'))
  const file = { title: 'The issue', fileName: 'The issue.pdf', type: 'application/pdf' }
  await addDownload(app, 'winter', FILE, file)
  return `${baseUrl}/checkout/${aid}/winter`
}
