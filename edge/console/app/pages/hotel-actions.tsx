import { useRef, useState } from 'preact/hooks'
import type { GetHotelResponse } from '../../../../gen/client/hotel.ts'
import type { Plan, Subscription } from '../../../../gen/client/payment.ts'
import { Select, TextField } from '../../../front/app/ui/controls.tsx'
import { openDialog } from '../../../front/app/ui/dialogs.tsx'
import { notify } from '../../../front/app/ui/feedback.tsx'
import { FormDialog, useFields } from '../../../front/app/ui/form.tsx'
import { ChangeButton, ConfirmedButton, useChange } from '../parts.tsx'
import { refresh } from '../refresh.ts'
import { messageOf, platform, statusOf } from '../session.ts'

type HotelActionsProps = { hotel: GetHotelResponse; subscription: Subscription | undefined }

/** What an operator can do to a hotel; each is in its audit log. */
export function HotelActions({ hotel, subscription }: HotelActionsProps) {
  const { id, name, isActive, payment_customer_id: customer } = hotel
  return (
    <div class="actions">
      {customer && (
        <ChangeButton onClick={() => void openPlanForm(name, customer, subscription?.plan)}>Change plan</ChangeButton>
      )}
      {isActive ? (
        <ConfirmedButton
          question={{
            title: `Suspend ${name}?`,
            text: 'Its people are signed out and stay out until you reopen it, and its chat is switched off. Its data stays, and its subscription goes on.',
            submit: 'Suspend',
            isDanger: true,
            phrase: name,
            report: `Suspended ${name}.`,
          }}
          act={() => platform.hotel.updateHotel({ id, body: { isActive: false } })}
        />
      ) : (
        <ConfirmedButton
          variant="main"
          question={{
            title: `Reopen ${name}?`,
            text: 'Its people can sign in again, and its chat is switched on.',
            submit: 'Reopen',
            report: `Reopened ${name}.`,
          }}
          act={() => platform.hotel.updateHotel({ id, body: { isActive: true } })}
        />
      )}
      <ConfirmedButton
        question={{
          title: `Delete ${name}?`,
          text: 'It closes at once: its people are signed out, its subscription is cancelled and its chat is switched off. You can restore it for 30 days, unless RESTORE_DAYS says otherwise; then its files are removed.',
          submit: 'Delete',
          isDanger: true,
          phrase: name,
          report: `Deleted ${name}.`,
        }}
        act={() => platform.hotel.deleteHotel({ id })}
      />
    </div>
  )
}

/** Restores a hotel that was deleted. */
export const RestoreButton = ({ id, name }: { id: string; name: string }) => (
  <ConfirmedButton
    variant="main"
    question={{
      title: `Restore ${name}?`,
      text: 'Its people can sign in again, its chat is switched on, and it is subscribed to its former plan. Without a valid means of payment it comes back as inactive.',
      submit: 'Restore',
      report: `Restored ${name}.`,
    }}
    act={() => platform.hotel.restoreHotel({ id })}
  />
)

const openPlanForm = (name: string, customer: string, plan: string | undefined): Promise<void> =>
  withPlans(plans => openDialog(close => <PlanForm {...{ name, customer, plan, plans }} onClose={close} />))

type PlanFormProps = { name: string; customer: string; plan: string | undefined; plans: Plan[]; onClose: () => void }

function PlanForm({ name, customer, plan, plans, onClose }: PlanFormProps) {
  const [chosenPlan, choose] = useState(plan ?? plans[0]?.slug ?? '')
  const action = useChange(async () => {
    await platform.payment.assignSubscription({ body: { customer_id: customer, product_id: chosenPlan } })
    notify(`${name} has the plan ${chosenPlan}.`)
    void refresh()
    onClose()
  })
  return (
    <FormDialog title={`Change the plan of ${name}?`} submit="Change plan" action={action} onClose={onClose}>
      <p>
        The subscription moves to the plan at once; the payment provider charges or credits the difference. A trial that
        runs goes on. The storage quota stays as it is.
      </p>
      <Select label="Plan" choices={planChoices(plans)} value={chosenPlan} onValue={choose} />
    </FormDialog>
  )
}

/** Opens a dialog about plans once they are read. */
async function withPlans(open: (plans: Plan[]) => void): Promise<void> {
  try {
    open((await platform.payment.listPlans()).data)
  } catch (error) {
    notify(messageOf(error))
  }
}

/** Asks for a new hotel, and opens its page. */
export const openHotelForm = (): Promise<void> =>
  withPlans(plans => openDialog(close => <HotelForm plans={plans} onClose={close} />))

/** The plans as choices, with their prices. */
const planChoices = (plans: Plan[]) =>
  plans.map(({ slug, name, amount, currency, interval }) => {
    const price = new Intl.NumberFormat('en', { style: 'currency', currency })
    const digits = price.resolvedOptions().maximumFractionDigits ?? 2
    return { value: slug, text: `${name}: ${price.format(amount / 10 ** digits)} per ${interval}` }
  })

const defaultPlan = 'premium'

function HotelForm({ plans, onClose }: { plans: Plan[]; onClose: () => void }) {
  const plan = plans.some(({ slug }) => slug === defaultPlan) ? defaultPlan : (plans[0]?.slug ?? '')
  const fields = { name: '', city: '', country: '', website: '', firstName: '', lastName: '', email: '', plan }
  const { values, field } = useFields(fields)
  // A set-up may outlast the wait for its answer; sending the form again then gets the answer of the same one.
  const key = useRef(crypto.randomUUID())
  const action = useChange(async () => {
    const { name, city, country, website, firstName, lastName, email } = values
    const optional = Object.entries({ city, country, website }).filter(([, value]) => value !== '')
    const body = {
      name,
      ...Object.fromEntries(optional),
      administrator: { email, firstName, lastName },
      subscription: { plan: values.plan },
    }
    const { id } = await platform.hotel
      .createHotel({ body }, { idempotencyKey: key.current })
      .catch((error: unknown) => {
        if (statusOf(error) !== 0) key.current = crypto.randomUUID()
        throw error
      })
    notify(`Created ${name}.`)
    location.hash = `#/hotels/${id}`
    onClose()
  })
  return (
    <FormDialog title="Create a hotel" submit="Create hotel" action={action} onClose={onClose}>
      <p class="hint">
        The hotel gets its workspace, chat, storage and subscription. Its administrator is invited by e-mail.
      </p>
      <TextField label="Name" required maxLength={255} {...field('name', action)} />
      <div class="columns even">
        <TextField label="City" maxLength={120} {...field('city', action)} />
        <TextField label="Country" maxLength={120} {...field('country', action)} />
      </div>
      <TextField label="Website" maxLength={2048} {...field('website', action)} />
      <Select label="Plan" choices={planChoices(plans)} {...field('plan', action)} />
      <div class="columns even">
        <TextField label="Administrator’s first name" required maxLength={255} {...field('firstName', action)} />
        <TextField label="Administrator’s last name" required maxLength={255} {...field('lastName', action)} />
      </div>
      <TextField label="Administrator’s e-mail" type="email" required maxLength={254} {...field('email', action)} />
    </FormDialog>
  )
}
