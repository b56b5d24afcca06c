import { DEVELOPERS, isCurrency, type NewApplication } from '@gatehouse/server/dashboard-api'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { keys, send } from '../api.ts'
import { createAppScope, type EnvironmentName, isEnvironmentName } from '../app-scope.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Card } from '../components/display/card.tsx'
import { Copyable } from '../components/display/copyable.tsx'
import { EmptyState } from '../components/display/empty-state.tsx'
import { Notice } from '../components/display/notice.tsx'
import { Field } from '../components/forms/field.tsx'
import { Select } from '../components/forms/select.tsx'
import { TextInput } from '../components/forms/text-input.tsx'
import { required, useForm } from '../components/forms/use-form.ts'
import { lastScope, rememberScope } from '../frame/last-scope.ts'
import { useHasRole, useMe } from '../frame/me.ts'
import { Page } from '../frame/page.tsx'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'

/** Creates the first application, or a further one. */
export function NewApplicationPage(): ReactNode {
  const me = useMe()
  const mayMake = useHasRole(DEVELOPERS)
  const [made, setMade] = useState<NewApplication>()
  const title = lastScope(me) === undefined ? texts.first.title : texts.first.other
  return (
    <Page title={made ? texts.first.keyTitle(made.name) : title} lead={!made && texts.first.lead}>
      <div className="max-w-lg">
        {made ? <Made made={made} /> : mayMake ? <NewForm onMade={setMade} /> : <NotYet />}
      </div>
    </Page>
  )
}

function NotYet(): ReactNode {
  return <EmptyState title={texts.first.nobodyTitle}>{texts.first.nobody}</EmptyState>
}

function currencyProblem(code: string): string | undefined {
  return (
    required(code) ?? (isCurrency(code.trim().toUpperCase()) ? undefined : texts.first.notACurrency)
  )
}

function NewForm({ onMade }: { onMade: (made: NewApplication) => void }): ReactNode {
  const me = useMe()
  const { environment } = useSearch({ strict: false }) as { environment?: string }
  const nearest = lastScope(me)?.environment ?? 'production'
  const form = useForm(
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
  return (
    <Card>
      <form onSubmit={form.onSubmit} noValidate className="grid gap-4">
        <Field label={texts.first.name} hint={texts.first.nameHint} error={form.errorOf('name')}>
          <TextInput autoComplete="organization" {...form.bind('name')} />
        </Field>
        <Field
          label={texts.first.currency}
          hint={texts.first.currencyHint}
          error={form.errorOf('currency')}
        >
          <TextInput autoComplete="off" maxLength={3} {...form.bind('currency')} />
        </Field>
        <Field
          label={texts.first.environment}
          hint={`${texts.frame.environmentHint[form.values.environment as EnvironmentName]}.`}
        >
          <Select
            options={[
              { value: 'production', label: texts.frame.production },
              { value: 'sandbox', label: texts.frame.sandbox },
            ]}
            {...form.bind('environment')}
          />
        </Field>
        {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={form.busy}>
            {texts.first.go}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Made({ made }: { made: NewApplication }): ReactNode {
  return (
    <Card lead={texts.first.keyLead}>
      <div className="grid gap-1">
        <span className="font-medium">{texts.first.aid}</span>
        <Copyable boxed value={made.aid} what={texts.first.aid} />
      </div>
      <div className="grid gap-1">
        <span className="font-medium">{texts.first.key}</span>
        <Copyable boxed value={made.private_key} what={texts.first.key} />
      </div>
      <div>
        <Link
          to={createAppScope(made.environment, made.aid).path()}
          className={buttonClass('primary')}
        >
          {texts.first.open(made.name)}
        </Link>
      </div>
    </Card>
  )
}
