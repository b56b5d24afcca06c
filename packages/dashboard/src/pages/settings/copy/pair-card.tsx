import type { PairView } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { keys, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { useAction } from '../../../components/use-action.ts'
import { useApplication } from '../../../frame/me.ts'
import { queryClient } from '../../../query-client.ts'
import { texts } from '../../../texts.ts'

const words = texts.copying

/** Chooses the counterpart of an application: an existing one, if possible one of the same name, or a new one. */
export function PairCard({ view }: { view: PairView }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const own = useApplication()?.name ?? ''
  const { candidates, environment: other } = view
  const namesake = candidates.find(({ name }) => name === own)
  const [chosen, setChosen] = useState(namesake?.aid ?? '')
  const { busy, problem, run } = useAction(async () => {
    const made = await send<PairView>('PUT', path('pair'), chosen === '' ? {} : { with: chosen })
    queryClient.setQueryData(keys.of(environment, aid, 'pair'), made)
    toast(words.paired(made.pair?.name ?? ''))
    await queryClient.invalidateQueries({ queryKey: keys.me })
  })
  const options = [
    ...candidates.map((one) => ({
      value: one.aid,
      label: words.pairOption(one.name, one.currency),
    })),
    { value: '', label: words.pairNew(own, other) },
  ]
  return (
    <Card title={words.pairTitle(other)} lead={words.pairLead}>
      <div className="max-w-md">
        <SelectField
          label={words.pairWith}
          {...(chosen === '' ? { hint: words.pairNewHint } : {})}
          options={options}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        />
      </div>
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
      <div>
        <Button variant="primary" busy={busy} onClick={run}>
          {words.pair}
        </Button>
      </div>
    </Card>
  )
}
