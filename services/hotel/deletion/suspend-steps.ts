import { chatActiveStep } from '../chat/steps.ts'
import type { HotelDependencies } from '../context.ts'
import type { Saga } from '../sagas/saga.ts'
import { membersStep } from './accounts.ts'

/*
 * `isActive` of a hotel. A suspended hotel is closed for its people, as a deleted one is, until it is reopened; its
 * record, files and subscription stay, and nothing ends after a time [D523]. Each step is retried until it succeeds.
 */

export const suspension = (dependencies: HotelDependencies): Saga => ({
  kind: 'suspend',
  onFailure: 'retry',
  steps: [membersStep(dependencies, 'suspended'), chatActiveStep(dependencies, false)],
})

export const reopening = (dependencies: HotelDependencies): Saga => ({
  kind: 'reopen',
  onFailure: 'retry',
  steps: [membersStep(dependencies, 'reopened'), chatActiveStep(dependencies, true)],
})
