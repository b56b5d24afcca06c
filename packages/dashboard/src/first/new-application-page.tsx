import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isCurrency } from '../../../server/src/domain/apps/currency.ts'
import { DEVELOPERS } from '../../../server/src/http/dashboard/route.ts'
import type { NewApplication } from '../../../server/src/http/dashboard/settings/schemas.ts'
import { keys, send } from '../api.ts'
import { keepPlace, lastPlace } from '../frame/last-place.ts'
import { useMay, useMe } from '../frame/me.ts'
import { Page } from '../frame/page.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { Card } from '../parts/display/card.tsx'
import { Copyable } from '../parts/display/copyable.tsx'
import { EmptyState } from '../parts/display/empty-state.tsx'
import { Notice } from '../parts/display/notice.tsx'
import { Field } from '../parts/forms/field.tsx'
import { Select } from '../parts/forms/select.tsx'
import { TextInput } from '../parts/forms/text-input.tsx'
import { required, useForm } from '../parts/forms/use-form.ts'
import { type EnvironmentName, isEnvironment, placeAt } from '../place.ts'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'

/** Creates the first application, or a further one. */
export function NewApplicationPage(): ReactNode {
  const me = useMe()
  const mayMake = useMay(DEVELOPERS)
  const [made, setMade] = useState<NewApplication>()
  const title = lastPlace(me) === undefined ? texts.first.title : texts.first.other
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
  const nearest = lastPlace(me)?.environment ?? 'production'
  const form = useForm(
    {
      name: '',
      currency: 'EUR',
      environment: (isEnvironment(environment) ? environment : nearest) as string,
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
        keepPlace(placeAt(made.environment, made.aid))
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
          <Button type="submit" look="primary" busy={form.busy}>
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
        <Link to={placeAt(made.environment, made.aid).path()} className={buttonClass('primary')}>
          {texts.first.open(made.name)}
        </Link>
      </div>
    </Card>
  )
}
