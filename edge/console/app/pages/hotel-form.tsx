import { useRef } from 'preact/hooks'
import type { Plan } from '../../../../gen/client/payment.ts'
import { Select, TextField } from '../../../front/app/ui/controls.tsx'
import { FormDialog } from '../../../front/app/ui/dialogs.tsx'
import { notify } from '../../../front/app/ui/feedback.tsx'
import { useFields } from '../../../front/app/ui/form.tsx'
import { openDialog, useDialogAction } from '../dialogs.tsx'
import { messageOf, platform, statusOf } from '../session.ts'

/** Opens a dialog about plans once they are read. */
export async function withPlans(open: (plans: Plan[]) => void): Promise<void> {
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
export const planChoices = (plans: Plan[]) =>
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
  const action = useDialogAction(async () => {
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
  }, onClose)
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
