import type { Team } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { Card } from '../components/display/card.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { RadioList } from '../components/forms/radio-list.tsx'
import { useForm } from '../components/forms/use-form.ts'
import { toast } from '../components/overlays/toast.tsx'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'
import { refreshTeam } from './member-row.tsx'

type Policy = Team['passkey_policy']

const OPTIONS = (Object.keys(texts.team.policies) as Policy[]).map((value) => {
  const [label, hint] = texts.team.policies[value]
  return { value, label, hint }
})

/** Who needs a passkey to sign in, in the whole installation. */
export function PasskeyPolicyCard({ policy }: { policy: Policy }): ReactNode {
  const form = useForm(
    { policy: policy as string },
    {
      send: async (chosen) => {
        await send('PUT', '/team/passkey-policy', chosen)
        await refreshTeam()
        await queryClient.invalidateQueries({ queryKey: keys.me })
        toast(texts.team.policySaved)
      },
    },
  )
  return (
    <Card title={texts.team.policyTitle} lead={texts.team.policyLead}>
      <PageForm
        form={form}
        action={texts.common.save}
        disabled={form.values.policy === policy}
        label={texts.team.policyTitle}
      >
        <RadioList
          label={texts.team.policyTitle}
          options={OPTIONS}
          value={form.values.policy}
          onChange={(value) => form.set('policy', value)}
        />
      </PageForm>
    </Card>
  )
}
