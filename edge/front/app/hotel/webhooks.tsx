import { useState } from 'preact/hooks'
import type { Webhook } from '../../../../gen/client/notification.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button, Checkbox, TextField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { Breakable } from '../ui/facts.tsx'
import { Empty, Loaded, notify, Problem } from '../ui/feedback.tsx'
import { confirmAction, FormDialog, useFields } from '../ui/form.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { SecretDialog } from './secret.tsx'
import { managesWebhooks, Section } from './section.tsx'

/** The name of an event type; the type itself without one. */
export function useEventName(): (type: string) => string {
  const names: Record<string, string> = useTexts('hotel/webhooks').types
  return type => names[type] ?? type
}

/** The addresses that receive the events of the workspace. */
export function Webhooks() {
  const t = useTexts('hotel/webhooks')
  const { workspace, may } = useMemberContext()
  const { id: workspaceId } = workspace
  const webhooks = useLoad(managesWebhooks(may) ? `webhooks/${workspaceId}` : null, signal =>
    platform.notification.listWebhooks({ workspaceId }, { signal }),
  )
  const nameOf = useEventName()
  const showSecret = (title: string, { secret = '' }: Webhook) =>
    openDialog(close => <SecretDialog title={title} secret={secret} onClose={close} />)
  const openForm = (webhook?: Webhook) =>
    openDialog(close => (
      <WebhookForm
        webhook={webhook}
        availableTypes={webhooks.value?.availableEventTypes ?? []}
        onClose={close}
        onSaved={async savedWebhook => {
          if (savedWebhook.secret) showSecret(t.ready, savedWebhook)
          else notify(t.saved)
          await webhooks.reload()
        }}
      />
    ))
  const test = useAction(async ({ id }: Webhook) => {
    await platform.notification.testWebhook({ id, body: {} })
    notify(t.testSent)
  })
  const enable = useAction(async ({ id }: Webhook, isEnabled: boolean) => {
    await platform.notification.updateWebhook({ id, body: { isEnabled } })
    await webhooks.reload()
    notify(isEnabled ? t.switchedOn : t.switchedOff)
  })
  const rotate = ({ id }: Webhook) =>
    confirmAction({ title: t.rotateTitle, text: t.rotateText, submit: t.rotate }, async () => {
      showSecret(t.rotated, await platform.notification.rotateWebhookSecret({ id, body: {} }))
    })
  const remove = ({ id }: Webhook) =>
    confirmAction({ title: t.removeTitle, text: t.removeText, submit: t.delete, isDanger: true }, async () => {
      await platform.notification.deleteWebhook({ id })
      await webhooks.reload()
      notify(t.removed)
    })
  const choicesFor = (one: Webhook): MenuItem[] => [
    { text: t.edit, icon: 'pen', act: () => openForm(one) },
    { text: t.test, icon: 'next', act: () => void test.run(one) },
    {
      text: one.isEnabled ? t.switchOff : t.switchOn,
      icon: one.isEnabled ? 'close' : 'check',
      act: () => void enable.run(one, !one.isEnabled),
    },
    { text: t.rotate, icon: 'key', act: () => void rotate(one) },
    { text: t.delete, icon: 'trash', variant: 'danger', act: () => void remove(one) },
  ]
  const columns: TableColumn<Webhook>[] = [
    {
      name: t.address,
      isWide: true,
      cell: one => (
        <span>
          <Link to={`/hotel/webhooks/${one.id}`}>
            <Breakable text={one.url} />
          </Link>
          <bdi class="hint">{one.description}</bdi>
        </span>
      ),
    },
    { name: t.events, cell: one => <span>{one.eventTypes.map(nameOf).join(', ') || t.all}</span> },
    { name: t.state, cell: one => <State webhook={one} /> },
    {
      name: t.actions,
      cell: one => (
        <span class="actions">
          <Menu name={`${t.actions}: ${one.url}`} icon="more" choices={choicesFor(one)} />
        </span>
      ),
    },
  ]
  return (
    <Section
      title={t.title}
      path="/hotel/webhooks"
      actions={
        <Button variant="main" icon="plus" onClick={() => openForm()}>
          {t.add}
        </Button>
      }
    >
      <p class="hint">{t.intro}</p>
      <Problem error={test.error ?? enable.error} statusTexts={{ 409: t.isOff }} />
      <Loaded load={webhooks} empty={<Empty icon="link" title={t.none} />}>
        {({ data }) => <Table label={t.title} columns={columns} rows={data} keyOf={one => one.id} />}
      </Loaded>
    </Section>
  )
}

/** Whether an endpoint gets events, and since when and why not. */
function State({ webhook: { isEnabled, disabledReason, disabledAt, failingSince } }: { webhook: Webhook }) {
  const t = useTexts('hotel/webhooks')
  return (
    <span>
      <span class={isEnabled ? 'tag strong' : 'tag suspended'}>{isEnabled ? t.on : t.off}</span>
      {disabledReason && <span class="hint">{t.reasons[disabledReason] ?? disabledReason}</span>}
      {disabledAt && <span class="hint">{fill(t.since, { time: dateAndTimeOf(disabledAt) })}</span>}
      {isEnabled && failingSince && (
        <span class="hint">{fill(t.failingSince, { time: dateAndTimeOf(failingSince) })}</span>
      )}
    </span>
  )
}

type WebhookFormProps = {
  webhook: Webhook | undefined
  availableTypes: string[]
  onClose: () => void
  onSaved: (webhook: Webhook) => Promise<void>
}

function WebhookForm({ webhook, availableTypes, onClose, onSaved }: WebhookFormProps) {
  const t = useTexts('hotel/webhook-form')
  const { workspace } = useMemberContext()
  const nameOf = useEventName()
  const { values, field } = useFields({ url: webhook?.url ?? '', description: webhook?.description ?? '' })
  const [chosenTypes, setChosenTypes] = useState(webhook?.eventTypes ?? [])
  const save = useAction(async () => {
    const [url, description] = [values.url.trim(), values.description.trim() || null]
    const body = { url, description, eventTypes: chosenTypes }
    const savedWebhook = webhook
      ? await platform.notification.updateWebhook({ id: webhook.id, body })
      : await platform.notification.createWebhook({ body: { ...body, workspaceId: workspace.id } })
    onClose()
    await onSaved(savedWebhook)
  })
  const title = webhook ? t.edit : t.add
  return (
    <FormDialog title={title} submit={t.save} action={save} statusTexts={{ 409: t.full }} onClose={onClose}>
      <TextField
        {...field('url', save)}
        label={t.address}
        hint={t.addressHint}
        type="url"
        error={save.fields['url'] && t.badAddress}
      />
      <TextField {...field('description', save)} label={t.description} />
      <fieldset>
        <legend>{t.events}</legend>
        <p class="hint">{t.eventsHint}</p>
        {[...new Set([...availableTypes, ...chosenTypes])].map(type => (
          <Checkbox
            key={type}
            label={nameOf(type)}
            hint={save.fields[`eventTypes[${chosenTypes.indexOf(type)}]`] ?? ''}
            checked={chosenTypes.includes(type)}
            onCheck={isChecked =>
              setChosenTypes(types => (isChecked ? [...types, type] : types.filter(one => one !== type)))
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
