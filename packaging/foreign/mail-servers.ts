import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, stop, until } from '../../scripts/loopback.mjs'

/** How a mail server behaves in a test. */
export interface MailServerOptions {
  /** How many connections it takes from one client. */
  connections?: number
  /** How many seconds it waits before its greeting. */
  greetAfter?: number
  /** After how many seconds it closes an idle connection. */
  idleFor?: number
  /** Whether it takes mail only after a login. */
  wantsLogin?: boolean
}

export interface ForeignMailServer {
  url: string
  /** How many mails it has accepted. */
  accepted(): number
  stop(): Promise<void>
}

/** Recipients that are refused: for good, and for now. */
export const REFUSED = 'refused@example.com'
export const LATER = 'later@example.com'

/** Starts Postfix with its own configuration and queue. It discards what it accepts. */
export async function startPostfix(options: MailServerOptions): Promise<ForeignMailServer> {
  const { connections = 50, greetAfter = 0, idleFor = 300, wantsLogin = false } = options
  const [folder, port] = [newFolder(), await freePort()]
  for (const one of ['etc', 'spool', 'data']) mkdirSync(join(folder, one), { mode: 0o755 })
  execFileSync('chown', ['postfix', join(folder, 'data')])
  const recipients = `inline:{{${REFUSED}=550 5.1.1 unknown}, {${LATER}=450 4.2.0 later}}`
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'spool'),
    data_directory: join(folder, 'data'),
    maillog_file: join(folder, 'data/log'),
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mail.example.test',
    mydestination: '',
    mynetworks: wantsLogin ? '' : '127.0.0.0/8',
    alias_maps: '',
    local_recipient_maps: '',
    default_transport: 'discard',
    smtputf8_enable: 'no',
    smtpd_client_connection_count_limit: connections,
    smtpd_client_event_limit_exceptions: '',
    smtpd_timeout: `${idleFor}s`,
    smtpd_delay_reject: 'no',
    smtpd_client_restrictions: greetAfter > 0 ? `sleep ${greetAfter}` : '',
    smtpd_recipient_restrictions: `check_recipient_access ${recipients}`,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(join(folder, 'etc/main.cf'), `${lines.join('\n')}\n`)
  const services = ['qmgr', 'cleanup', 'bounce', 'anvil', 'discard', 'error'].map(unixService)
  services.push('rewrite unix - - n - - trivial-rewrite', 'defer unix - - n - 0 bounce')
  services.push('postlog unix-dgram n - n - 1 postlogd', `127.0.0.1:${port} inet n - n - - smtpd`)
  writeFileSync(join(folder, 'etc/master.cf'), `${services.join('\n')}\n`)
  const args = ['-c', join(folder, 'etc')]
  const server = spawn('postfix', [...args, 'start-fg'], { stdio: 'ignore' })
  const log = join(folder, 'data/log')
  return await running(port, folder, {
    accepted: () =>
      readFileSync(log, 'utf8').match(/cleanup\[\d+\]: \w+: message-id=/g)?.length ?? 0,
    async stop() {
      execFileSync('postfix', [...args, 'stop'], { stdio: 'ignore' })
      if (server.exitCode === null) await once(server, 'exit')
    },
  })
}

const unixService = (name: string) =>
  `${name} unix ${name === 'qmgr' || name === 'cleanup' ? 'n' : '-'} - n - ${name === 'qmgr' || name === 'anvil' ? 1 : 0} ${name}`

/** Starts Exim with its own configuration. It keeps what it accepts in its queue. */
export async function startExim(options: MailServerOptions): Promise<ForeignMailServer> {
  const { connections = 50, greetAfter = 0, idleFor = 300, wantsLogin = false } = options
  const [folder, port] = [newFolder(), await freePort()]
  const settings = `
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
primary_hostname = mail.example.test
smtp_accept_max = 100
smtp_accept_max_per_host = ${connections}
smtp_receive_timeout = ${idleFor}s
smtputf8_advertise_hosts =
tls_advertise_hosts =
host_lookup =
rfc1413_hosts =
keep_environment =
queue_only = true
acl_smtp_connect = connect
acl_smtp_rcpt = recipient
acl_smtp_data = data
begin acl
connect:
  accept ${greetAfter > 0 ? `delay = ${greetAfter}s` : ''}
recipient:
  ${wantsLogin ? 'deny message = relay not permitted' : ''}
  deny recipients = ${REFUSED}
  defer recipients = ${LATER}
  accept
data:
  accept
`
  writeFileSync(join(folder, 'conf'), settings)
  mkdirSync(join(folder, 'spool'))
  execFileSync('chown', ['-R', 'Debian-exim', folder])
  execFileSync('chown', ['root', join(folder, 'conf')])
  const server = spawn('exim4', ['-C', join(folder, 'conf'), '-bdf'], { stdio: 'ignore' })
  return await running(port, folder, {
    accepted: () => readFileSync(join(folder, 'mainlog'), 'utf8').match(/ <= /g)?.length ?? 0,
    stop: () => stop(server as ChildProcess),
  })
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mail-'))
  // The servers run as users of their own.
  chmodSync(folder, 0o755)
  return folder
}

async function running(
  port: number,
  folder: string,
  server: Omit<ForeignMailServer, 'url'>,
): Promise<ForeignMailServer> {
  await until('the mail server', () => isListening(port))
  return {
    ...server,
    url: `smtp://127.0.0.1:${port}`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The connection is over when this resolves: the server would count it among those of the test. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } catch {
    return false
  }
  socket.resume()
  socket.write('QUIT\r\n')
  await once(socket, 'close')
  return true
}
