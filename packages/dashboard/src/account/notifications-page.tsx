import type { Notifications, NotificationsOfApplication } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../api.ts'
import { Card } from '../components/display/card.tsx'
import { Notice } from '../components/display/notice.tsx'
import { QueryContent } from '../components/display/query-content.tsx'
import { Checkbox } from '../components/forms/checkbox.tsx'
import { errorMessage } from '../components/forms/use-form.ts'
import { toast } from '../components/overlays/toast.tsx'
import { Page } from '../frame/page.tsx'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'

type Kind = keyof NotificationsOfApplication['choices']

const KINDS = Object.keys(texts.notifications.kinds) as Kind[]
const QUERY = keys.staff('notifications')

/** The page on which the signed-in member chooses notification emails, for each application. */
export function NotificationsPage(): ReactNode {
  const query = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => get<Notifications>('/notifications', {}, signal),
  })
  return (
    <Page
      title={texts.notifications.title}
      lead={query.data && texts.notifications.lead(query.data.email)}
    >
      <QueryContent query={query}>{(data) => <Choices {...data} />}</QueryContent>
    </Page>
  )
}

function Choices({ mail, applications }: Notifications): ReactNode {
  const inEnvironment = (name: string) =>
    applications.filter(({ environment }) => environment === name)
  const sandbox = inEnvironment('sandbox')
  return (
    <div className="grid gap-6">
      {mail !== 'ready' && <Notice tone="ending">{texts.notifications[mail]}</Notice>}
      {applications.length === 0 && <p className="text-soft">{texts.notifications.none}</p>}
      <Cards applications={inEnvironment('production')} />
      {sandbox.length > 0 && (
        <section className="grid gap-3">
          <div>
            <h2 className="text-base font-semibold">{texts.notifications.sandbox}</h2>
            <p className="text-soft">{texts.notifications.sandboxHint}</p>
          </div>
          <Cards applications={sandbox} />
        </section>
      )}
    </div>
  )
}

function Cards({ applications }: { applications: NotificationsOfApplication[] }): ReactNode {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      {applications.map((application) => (
        <Card key={application.aid} title={application.name}>
          {KINDS.map((kind) => (
            <Choice key={kind} application={application} kind={kind} />
          ))}
        </Card>
      ))}
    </div>
  )
}

function Choice({
  application,
  kind,
}: {
  application: NotificationsOfApplication
  kind: Kind
}): ReactNode {
  const { environment, aid, choices } = application
  const [pending, setPending] = useState<boolean>()
  const [label, hint] = texts.notifications.kinds[kind]
  async function choose(on: boolean) {
    setPending(on)
    try {
      await send('PATCH', `/${environment}/${aid}/notifications`, { kind, on })
      await queryClient.invalidateQueries({ queryKey: QUERY })
      toast(texts.notifications.saved(label, on))
    } catch (error) {
      toast(errorMessage(error), { failed: true })
    }
    setPending(undefined)
  }
  return (
    <Checkbox
      label={label}
      hint={hint}
      checked={pending ?? choices[kind]}
      onCheckedChange={(on) => void choose(on)}
    />
  )
}
