import { publishDownload } from '../../domain/downloads/downloads.ts'
import type { TestDatabase } from '../databases.ts'
import { sendSigned, type TestResponse } from '../http/requests.ts'
import { useApplication, useService } from '../use-service.ts'
import { testActor } from './downloads.ts'

export const GET_PATHS = ['/r2/download/', '/r2/download']
export const URL_PATHS = ['/r2/downloads/url', '/r2/download/url']
export const failureIn = ({ status, text }: TestResponse) => {
  const { code, message } = JSON.parse(text).error
  return { status, code, message }
}

/** Runs a service with an application that asks for downloads of the resource that `rid` returns. */
export function useDownloadRequests(database: TestDatabase, rid: () => string) {
  const service = useService(database)
  const app = useApplication(service)
  let count = 0
  async function addNewResource(): Promise<string> {
    const name = `file-${++count}`
    await app.addResource(name)
    return name
  }

  const inTransaction: typeof app.environment.database.write = (work) =>
    app.environment.database.write(work)
  const publish = (isPublished: boolean) =>
    inTransaction((trx) =>
      publishDownload(trx, { aid: app.aid, rid: rid() }, isPublished, testActor(app.environment)),
    )
  const askUrl = (parameters: Record<string, string | number>, path = URL_PATHS[0] as string) =>
    sendSigned(app, 'GET', path, { rid: rid(), ...parameters })
  const refusal = async (parameters: Record<string, string | number>) =>
    failureIn(await askUrl(parameters))
  const linkIn = async (url: string) => {
    const check = await app.environment.readDownloadToken(url.split('/d/')[1] as string)
    return check.ok ? check.link : check.reason
  }
  return { service, app, addNewResource, inTransaction, publish, askUrl, refusal, linkIn }
}
