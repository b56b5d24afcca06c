import { DEVELOPERS, isCurrency, type NewApplication } from '@gatehouse/server/dashboard-api'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { keys, send } from '../api.ts'
import { createAppScope, type EnvironmentName, isEnvironmentName } from '../app-scope.ts'
import { buttonClass } from '../components/button.tsx'
import { Card } from '../components/display/card.tsx'
import { Copyable } from '../components/display/copyable.tsx'
import { EmptyState } from '../components/display/empty-state.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { SelectField } from '../components/forms/select-field.tsx'
import { TextField } from '../components/forms/text-field.tsx'
import { required, useForm } from '../components/forms/use-form.ts'
import { lastScope, rememberScope } from '../frame/last-scope.ts'
import { useHasRole, useMe } from '../frame/me.ts'
import { Page } from '../frame/page.tsx'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'

/** Creates the first application, or a further one. */
export function NewApplicationPage(): ReactNode {
  const me = useMe()
  const canCreate = useHasRole(DEVELOPERS)
  const [made, setMade] = useState<NewApplication>()
  const title =
    lastScope(me) === undefined ? texts.newApplication.title : texts.newApplication.other
  return (
    <Page
      title={made ? texts.newApplication.keyTitle(made.name) : title}
      lead={!made && texts.newApplication.lead}
    >
      <div className="max-w-lg">
        {made ? <Made made={made} /> : canCreate ? <NewForm onMade={setMade} /> : <NotYet />}
      </div>
    </Page>
  )
}

function NotYet(): ReactNode {
  return (
    <EmptyState title={texts.newApplication.nobodyTitle}>{texts.newApplication.nobody}</EmptyState>
  )
}

function currencyProblem(code: string): string | undefined {
  return (
    required(code) ??
    (isCurrency(code.trim().toUpperCase()) ? undefined : texts.newApplication.notACurrency)
  )
}

/** The form's state; `onMade` gets the created application with its key. */
function useNewApplicationForm(onMade: (made: NewApplication) => void) {
  const me = useMe()
  const { environment } = useSearch({ strict: false }) as { environment?: string }
  const nearest = lastScope(me)?.environment ?? 'production'
  return useForm(
    {
      name: '',
      currency: 'EUR',
      environment: (isEnvironmentName(environment) ? environment : nearest) as string,
    },
    {
      check: ({ name, currency }) => ({
        name: required(name),
        currency: currencyProblem(currency),
      }),
      send: async (typed) => {
        const body = { name: typed.name.trim(), currency: typed.currency.trim().toUpperCase() }
        const path = `/applications/${typed.environment}`
        const made = await send<NewApplication>('POST', path, body)
        // Shows the key first, because the rest of the page changes as soon as the query below is refetched.
        onMade(made)
        // The frame switches to the new application as well, since that is what the next click is about.
        rememberScope(createAppScope(made.environment, made.aid))
        await queryClient.invalidateQueries({ queryKey: keys.me })
      },
    },
  )
}

function NewForm({ onMade }: { onMade: (made: NewApplication) => void }): ReactNode {
  const form = useNewApplicationForm(onMade)
  return (
    <Card>
      <PageForm form={form} action={texts.newApplication.go} variant="primary">
        <TextField
          {...form.field('name')}
          {...texts.newApplication.name}
          autoComplete="organization"
        />
        <TextField {...form.field('currency')} {...texts.newApplication.currency} maxLength={3} />
        <SelectField
          label={texts.newApplication.environment}
          hint={`${texts.frame.environmentHint[form.values.environment as EnvironmentName]}.`}
          options={[
            { value: 'production', label: texts.frame.production },
            { value: 'sandbox', label: texts.frame.sandbox },
          ]}
          {...form.bind('environment')}
        />
      </PageForm>
    </Card>
  )
}

function Made({ made }: { made: NewApplication }): ReactNode {
  return (
    <Card lead={texts.newApplication.keyLead}>
      <div className="grid gap-1">
        <span className="font-medium">{texts.newApplication.aid}</span>
        <Copyable boxed value={made.aid} label={texts.newApplication.aid} />
      </div>
      <div className="grid gap-1">
        <span className="font-medium">{texts.newApplication.key}</span>
        <Copyable boxed value={made.private_key} label={texts.newApplication.key} />
      </div>
      <div>
        <Link
          to={createAppScope(made.environment, made.aid).path()}
          className={buttonClass('primary')}
        >
          {texts.newApplication.open(made.name)}
        </Link>
      </div>
    </Card>
  )
}
