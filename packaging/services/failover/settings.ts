/** Where the programs of a pair listen, all on loopback. */
export interface Node {
  name: string
  /** The port of PostgreSQL. */
  port: number
  /** The port of Patroni's REST API. */
  api: number
  /** The folder with all files of this node. */
  folder: string
}

export const PASSWORDS = { postgres: 'super', replicator: 'copy', gatehouse: 'secret' }

/** How soon Patroni acts, in seconds. docs/run/several-machines.md shows the same settings. */
const TTL = 30
const LOOP_WAIT = 5
const RETRY_TIMEOUT = 10

export interface PatroniSettings {
  node: Node
  /** The port of etcd. */
  etcd: number
  /** The folder of PostgreSQL's programs. */
  programs: string
  isSynchronous: boolean
}

export const dataOf = ({ folder }: Node) => `${folder}/data`

export const patroniSettings = ({ node, etcd, programs, isSynchronous }: PatroniSettings) => `
scope: gatehouse
name: ${node.name}
restapi:
  listen: 127.0.0.1:${node.api}
  connect_address: 127.0.0.1:${node.api}
etcd3:
  host: 127.0.0.1:${etcd}
bootstrap:
  dcs:
    ttl: ${TTL}
    loop_wait: ${LOOP_WAIT}
    retry_timeout: ${RETRY_TIMEOUT}
    maximum_lag_on_failover: 1048576
    primary_start_timeout: 0
    synchronous_mode: ${isSynchronous}
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
  initdb:
    - encoding: UTF8
    - locale: C
    - data-checksums
postgresql:
  listen: 127.0.0.1:${node.port}
  connect_address: 127.0.0.1:${node.port}
  data_dir: ${dataOf(node)}
  bin_dir: ${programs}
  pgpass: ${node.folder}/pgpass
  authentication:
    superuser: { username: postgres, password: ${PASSWORDS.postgres} }
    replication: { username: replicator, password: ${PASSWORDS.replicator} }
  parameters:
    unix_socket_directories: ${node.folder}
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
`

/** Only the node that Patroni calls the primary gets connections; those of a node that is no longer primary are cut. */
export const haproxySettings = (port: number, nodes: readonly Node[]) => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 3s
  timeout client 30m
  timeout server 30m
  timeout check 5s
  retries 1
  option redispatch 1
listen postgresql
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((one) => `  server ${one.name} 127.0.0.1:${one.port} check port ${one.api}`).join('\n')}
`

export const etcdArguments = (folder: string, client: number, peer: number) => {
  const [own, others] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  return [
    ...['--name', 'one', '--data-dir', `${folder}/etcd`],
    ...['--listen-client-urls', own, '--advertise-client-urls', own],
    ...['--listen-peer-urls', others, '--initial-advertise-peer-urls', others],
    ...['--initial-cluster', `one=${others}`],
  ]
}
