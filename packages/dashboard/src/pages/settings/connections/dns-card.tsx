import type { MailView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Card } from '../../../components/display/card.tsx'
import { Code } from '../../../components/display/code-box.tsx'
import { texts } from '../../../texts.ts'

const words = texts.connections.mail

/** The DNS records that keep emails out of spam folders, as text: we don't look them up. */
export function DnsCard({ mail }: { mail: MailView }): ReactNode {
  const { sender_domain: domain, source, host } = mail
  if (source === 'none' || !domain.includes('.')) {
    return (
      <Card title={words.dnsTitle}>
        <p className="text-soft">{words.dnsNone}</p>
      </Card>
    )
  }
  const dmarc = `_dmarc.${domain}`
  const server = /^[\d.]+$/.test(host ?? '') ? `ip4:${host}` : `a:${host ?? domain}`
  return (
    <Card title={words.dnsTitle} lead={words.dnsLead(domain)}>
      <DnsRecord title={words.spf} name={domain} value={`v=spf1 ${server} ~all`} />
      <div className="grid gap-1">
        <h3 className="font-medium">{words.dkim}</h3>
        <p className="text-soft">{words.dkimText(domain)}</p>
      </div>
      <DnsRecord
        title={words.dmarc}
        name={dmarc}
        value={`v=DMARC1; p=none; rua=mailto:postmaster@${domain}`}
      />
    </Card>
  )
}

interface Props {
  title: string
  name: string
  value: string
}

function DnsRecord({ title, name, value }: Props): ReactNode {
  return (
    <div className="grid gap-1">
      <h3 className="font-medium">{title}</h3>
      <p className="text-soft">{words.record(name)}</p>
      <Code code={value} label={title} wrap />
    </div>
  )
}
