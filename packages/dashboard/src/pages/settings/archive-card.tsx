import type { Overview, Page, SettingsView } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'

/** The statuses of subscriptions that would renew. */
const RUNNING = ['trialing', 'active', 'past_due']

/** Counts what archiving would end, once the dialog is open. */
function useEffectOfArchiving(asking: boolean) {
  const { environment, aid, path } = useAppScope()
  return useQuery({
    queryKey: keys.of(environment, aid, 'effect-of-archiving'),
    enabled: asking,
    queryFn: async ({ signal }) => {
      const [{ live }, ...running] = await Promise.all([
        get<Overview>(path('overview'), { days: 7 }, signal),
        ...RUNNING.map((status) =>
          get<Page<unknown>>(path('subscriptions'), { status, pagesize: 1 }, signal),
        ),
      ])
      const subscriptions = running.reduce((all, { total }) => all + total, 0)
      return { access: live.count, subscriptions }
    },
  })
}

export function ArchiveCard({ settings }: { settings: SettingsView }): ReactNode {
  const { environment, aid } = useAppScope()
  const [asking, setAsking] = useState(false)
  const { data: effect, error } = useEffectOfArchiving(asking)
  const { name } = settings
  return (
    <Card title={texts.settings.archiveTitle} lead={texts.settings.archiveLead}>
      <div>
        <Button icon={Archive} onClick={() => setAsking(true)}>
          {texts.settings.archive}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={texts.settings.archiveAsk(name)}
        effect={
          effect === undefined
            ? error
              ? errorMessage(error)
              : texts.settings.counting
            : [
                texts.settings.archiveAccess(effect.access),
                texts.settings.archiveSubscriptions(effect.subscriptions),
                texts.settings.archiveLinks,
              ]
        }
        action={texts.settings.archive}
        typed={name}
        disabled={effect === undefined}
        onConfirm={async () => {
          await send('POST', `/applications/${environment}/${aid}/archive`)
          toast(texts.settings.archived(name))
          await queryClient.invalidateQueries({ queryKey: keys.me })
          await queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })
        }}
      />
    </Card>
  )
}
