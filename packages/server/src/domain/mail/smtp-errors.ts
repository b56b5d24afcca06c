/** Marks an error of a connection that the mail server never accepted, so that it knows nothing of the mail. */
export const notConnected = (error: unknown): Error =>
  Object.assign(error instanceof Error ? error : new Error(String(error)), { isConnected: false })

/** The `code` of a sending for which no connection became free, while others were in use. */
const NO_FREE_CONNECTION = 'ENOFREECONNECTION'

export const noFreeConnection = (): Error =>
  notConnected(
    Object.assign(new Error('all connections that the mail server takes are in use'), {
      code: NO_FREE_CONNECTION,
    }),
  )

/** Describes an SMTP error without the server's text, which may contain an address. */
export function smtpFailure(error: unknown): { code?: string; status?: number; command?: string } {
  const { code, responseCode, command } = error as Record<string, unknown>
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { status: responseCode } : {}),
    ...(typeof command === 'string' ? { command } : {}),
  }
}

/** Whether the server refused this recipient or this content. The connection can be used for other mails. */
export function isRefusalOfMail(error: unknown): boolean {
  const { code } = smtpFailure(error)
  return code === 'EENVELOPE' || code === 'EMESSAGE'
}

/** Whether the server rejected this mail permanently, so that retrying can't help. A rejection of the
 * sender's address or of the login concerns our settings, which the operator may fix before the next
 * attempt. */
export function isPermanentRefusal(error: unknown): boolean {
  if (!isRefusalOfMail(error)) return false
  const { status, command } = smtpFailure(error)
  if (status === undefined) return true
  return status >= 500 && command !== 'MAIL FROM'
}

/** Why the server took no further connection: `in use` if those that it takes are in use here, `put off` if it said so
 * with a 4xx status, as most do that have too many. Undefined if something else went wrong. */
export function busyServer(error: unknown): 'in use' | 'put off' | undefined {
  const { code, status = 0 } = smtpFailure(error)
  if (code === NO_FREE_CONNECTION) return 'in use'
  const { isConnected } = error as { isConnected?: boolean }
  return isConnected === false && status >= 400 && status < 500 ? 'put off' : undefined
}

/** Whether an error ended the connection, and says nothing about what was sent over it. */
export function isConnectionLoss(error: unknown): boolean {
  const { code = '', status } = smtpFailure(error)
  return status === 421 || ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'].includes(code)
}
