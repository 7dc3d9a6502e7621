import { useState } from 'preact/hooks'
import type { GetHotelResponse } from '../../../../gen/client/hotel.ts'
import type { Plan, Subscription } from '../../../../gen/client/payment.ts'
import { Select } from '../../../front/app/ui/controls.tsx'
import { FormDialog } from '../../../front/app/ui/dialogs.tsx'
import { notify } from '../../../front/app/ui/feedback.tsx'
import { openDialog, useDialogAction } from '../dialogs.tsx'
import { ChangeButton, ConfirmedButton } from '../parts.tsx'
import { refresh } from '../refresh.ts'
import { platform } from '../session.ts'
import { planChoices, withPlans } from './hotel-form.tsx'

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
        variant="danger"
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
  const action = useDialogAction(async () => {
    await platform.payment.assignSubscription({ body: { customer_id: customer, product_id: chosenPlan } })
    notify(`${name} has the plan ${chosenPlan}.`)
    void refresh()
  }, onClose)
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
