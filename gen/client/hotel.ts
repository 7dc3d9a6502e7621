// Written by npm run gen from gen/openapi/hotel.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** The chat application to create, if there is none. */
export type CreateChatAppRequest = {
  /** Hotel id. */
  hotelId: string
  /** Name of a new application, 1 to 255 characters. */
  name: string
}

/** The hotel's application. */
export type CreateChatAppResponse = {
  /** Id of the application at the provider. */
  app_id: string
  /** Token of the application, encrypted as {encryptedText}.{iv}.{tag}; never in plain text. */
  api_token: string
  /** Name of the application. */
  application_name: string
  /** Region at the provider, such as eu-1. */
  region: string
}

/** Fields of a new group. */
export type CreateGroupRequest = {
  /** Name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** URL of the logo, http or https or without a scheme. */
  logo_url?: string | null
}

/** Fields of a new hotel. */
export type CreateHotelRequest = {
  /** Name, 1 to 255 characters. */
  name: string
  /** Street address, at most 255 characters. */
  address?: string | null
  /** City, at most 120 characters. */
  city?: string | null
  /** Country, at most 120 characters. */
  country?: string | null
  /** Phone number, at most 40 characters. */
  phone?: string | null
  /** E-mail address of the hotel. */
  email?: string | null
  /** Website, http or https or without a scheme. */
  website?: string | null
  /** Group id. */
  groupId?: string | null
  /** Type id. */
  typeId?: string | null
  /** Settings profile id. */
  settingId?: string | null
  /** First administrator. */
  administrator: HotelAdministratorInput
  /** Chosen plan; premium when absent. */
  subscription?: HotelSubscriptionInput | null
}

/** The new hotel. */
export type CreateHotelResponse = {
  /** Hotel id, which is the ecosystem id. */
  id: string
  /** Name. */
  name: string
  /** Workspace id. */
  workspace: string | null
  /** Id of the chat application at the provider. */
  chat_app_id: string | null
  /** URL of the QR code image. */
  qr_link: string | null
  /** Customer id at the payment provider. */
  payment_customer_id: string | null
  /** Status of the subscription: active after a complete set-up. */
  subscription_status: 'active' | 'inactive' | 'trial' | null
  /** Settings profile; null for none. */
  settings: HotelSettingReference | null
  /** Type; null for none. */
  type: HotelTypeReference | null
  /** First administrator. */
  administrator: HotelAdministrator | null
  /** End of the trial period. */
  trialEndsAt: string | null
  /** Creation time. */
  createdAt: string | null
}

/** Fields of a new profile. Each has a default. */
export type CreateSettingRequest = {
  /** IANA time zone. ValidationError for an unknown one. */
  timezone?: string | null
  /** Language code, such as fr, fr-FR or zh-Hant. */
  language?: string | null
  /** ISO 4217 currency code. */
  currency?: string | null
  /** Earliest check-in, HH:mm. */
  check_in_time?: string | null
  /** Latest check-out, HH:mm. */
  check_out_time?: string | null
  /** Whether push notifications are sent. */
  enable_push?: boolean | null
  /** Whether notification e-mails are sent. */
  enable_email?: boolean | null
  /** Main colour, #RRGGBB or #RGB. */
  primary_color?: string | null
  /** Second colour, #RRGGBB or #RGB. */
  secondary_color?: string | null
  /** Whether text messages are sent. */
  enable_sms?: boolean | null
  /** URL of the logo, http or https or without a scheme. */
  logo_url?: string | null
  /** URL of the picture that greets people at the sign-in, http or https or without a scheme. */
  picture_url?: string | null
}

/** Fields of a new type. */
export type CreateTypeRequest = {
  /** Unique name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Icon name or emoji, at most 64 characters. */
  icon?: string | null
}

/** Confirms the change. */
export type DeleteGroupResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Group id. */
  id: string
}

/** Confirms the change. */
export type DeleteHotelResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Hotel id. */
  id: string
}

/** Confirms the change. */
export type DeleteTypeResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Type id. */
  id: string
}

/** Weather of one day. */
export type ForecastDay = {
  /** Day, YYYY-MM-DD. */
  date: string
  /** Maximum temperature in degrees Celsius. */
  temp_max: number
  /** Minimum temperature in degrees Celsius. */
  temp_min: number
  /** Description in French. */
  description: string
}

/** Activity in the chat application of a hotel. */
export type GetChatStatsResponse = {
  /** Number of people with a chat account. */
  users_count: number
  /** Number of channels. */
  channels_count: number
  /** Number of messages sent since midnight UTC. */
  messages_today: number
  /** Number of people active since midnight UTC. */
  active_users_today: number
}

/** One group with its hotels. */
export type GetGroupResponse = {
  /** Group id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** URL of the logo. */
  logo_url: string | null
  /** Live hotels in the group that the caller belongs to, by name. */
  hotels: GroupHotel[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** One hotel. */
export type GetHotelResponse = {
  /** Hotel id. */
  id: string
  /** Name. */
  name: string
  /** Street address. */
  address: string | null
  /** City. */
  city: string | null
  /** Country. */
  country: string | null
  /** Phone number. */
  phone: string | null
  /** E-mail address. */
  email: string | null
  /** Website. */
  website: string | null
  /** Workspace id. */
  workspace: string | null
  /** Id of the chat application at the provider. */
  chat_app_id: string | null
  /** URL of the QR code image. */
  qr_link: string | null
  /** Customer id at the payment provider. */
  payment_customer_id: string | null
  /** Status of the subscription. */
  subscription_status: 'active' | 'inactive' | 'trial' | null
  /** Group; null for none. */
  group: HotelGroupReference | null
  /** Settings profile; null for none. */
  settings: HotelSettingReference | null
  /** Type; null for none. */
  type: HotelTypeReference | null
  /** False for an inactive hotel. */
  isActive: boolean
  /** End of the trial period; null for none. */
  trialEndsAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Weather of a city. */
export type GetWeatherResponse = {
  /** City name from the provider. */
  city: string
  /** Country code. */
  country: string
  /** Temperature in degrees Celsius. */
  temperature: number
  /** Perceived temperature in degrees Celsius. */
  feels_like: number
  /** Relative humidity in per cent. */
  humidity: number
  /** Description in French. */
  description: string
  /** Icon code from the provider. */
  icon: string
  /** Wind speed in metres per second. */
  wind_speed: number
  /** Forecast for the next days, in order. */
  forecast: ForecastDay[]
}

/** A group of hotels. */
export type Group = {
  /** Group id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** URL of the logo. */
  logo_url: string | null
  /** Number of live hotels in the group that the caller belongs to. */
  hotelsCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A hotel in its group. */
export type GroupHotel = {
  /** Hotel id. */
  id: string
  /** Name. */
  name: string
  /** City. */
  city: string | null
  /** Status of the subscription. */
  subscription_status: 'active' | 'inactive' | 'trial' | null
}

/** The first administrator. */
export type HotelAdministrator = {
  /** Member id. */
  id: string
  /** E-mail address. */
  email: string
}

/** The first administrator of a new hotel, who is invited by e-mail. */
export type HotelAdministratorInput = {
  /** E-mail address. */
  email: string
  /** First name, 1 to 255 characters. */
  firstName: string
  /** Last name, 1 to 255 characters. */
  lastName: string
}

/** A reference to a hotel's group. */
export type HotelGroupReference = {
  /** Group id. */
  id: string
  /** Name. */
  name: string
}

/** A reference to a hotel's settings profile. */
export type HotelSettingReference = {
  /** Profile id; null for a hotel without a profile, which has the default settings. */
  id: string | null
  /** IANA time zone. */
  timezone: string
  /** ISO 4217 currency code. */
  currency: string
  /** Main colour, #RRGGBB or #RGB. */
  primary_color: string
  /** URL of the logo. */
  logo_url: string | null
  /** URL of the picture that greets people at the sign-in. */
  picture_url: string | null
}

/** The subscription of a new hotel. */
export type HotelSubscriptionInput = {
  /** Slug of a plan of the payment service, such as premium; premium when absent. ValidationError for an unknown one. */
  plan?: string | null
}

/** A hotel in a list. */
export type HotelSummary = {
  /** Hotel id. */
  id: string
  /** Name. */
  name: string
  /** City. */
  city: string | null
  /** Country. */
  country: string | null
  /** Workspace id. */
  workspace: string | null
  /** Id of the chat application at the provider. */
  chat_app_id: string | null
  /** Status of the subscription. */
  subscription_status: 'active' | 'inactive' | 'trial' | null
  /** Group; null for none. */
  group: HotelGroupReference | null
  /** Type; null for none. */
  type: HotelTypeReference | null
  /** False for an inactive hotel. */
  isActive: boolean
  /** End of the trial period; null for none. */
  trialEndsAt: string | null
}

/** A type of ecosystem. */
export type HotelType = {
  /** Type id. */
  id: string
  /** Unique name. */
  name: string
  /** Free text. */
  description: string | null
  /** Icon name or emoji. */
  icon: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A reference to a hotel's type. */
export type HotelTypeReference = {
  /** Type id. */
  id: string
  /** Name. */
  name: string
  /** Icon name or emoji. */
  icon: string | null
}

/** The groups. */
export type ListGroupsResponse = {
  /** Groups, by name. */
  data: Group[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of hotels. */
export type ListHotelsResponse = {
  /** Hotels, by name. */
  data: HotelSummary[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The profiles. */
export type ListSettingsResponse = {
  /** Profiles, oldest first. */
  data: Setting[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of runs. */
export type ListSetupsResponse = {
  /** Runs, newest first. */
  data: Setup[]
  /** Pagination. */
  meta: PageMeta | null
}

/** All types. */
export type ListTypesResponse = {
  /** Types, by name. */
  data: HotelType[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** Pagination of a list. */
export type PageMeta = {
  /** Number of matching records on all pages. */
  total: number
  /** Number of this page, starting at 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one, and on lists without cursors. */
  nextCursor?: string
}

/** Confirms the change. */
export type RestoreHotelResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Hotel id. */
  id: string
}

/** A settings profile. */
export type Setting = {
  /** Profile id; empty for the defaults. */
  id: string
  /** IANA time zone; Europe/Paris by default. */
  timezone: string
  /** Language code; fr by default. */
  language: string
  /** ISO 4217 currency code; EUR by default. */
  currency: string
  /** Whether push notifications are sent to the hotel's members. */
  enable_push: boolean
  /** Whether notification e-mails are sent to the hotel's members. */
  enable_email: boolean
  /** Whether text messages are sent; false by default. */
  enable_sms: boolean
  /** Earliest check-in, HH:mm; 14:00 by default. */
  check_in_time: string
  /** Latest check-out, HH:mm; 11:00 by default. */
  check_out_time: string
  /** Main colour, #RRGGBB or #RGB; #1E40AF by default. */
  primary_color: string
  /** Second colour, #RRGGBB or #RGB; #10B981 by default. */
  secondary_color: string
  /** URL of the logo. */
  logo_url: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** URL of the picture that greets people at the sign-in. */
  picture_url: string | null
}

/** A run. */
export type Setup = {
  /** Run id. */
  id: string
  /** Id of the hotel. */
  hotelId: string
  /** Name of the hotel. */
  hotelName: string
  /** Kind of run: end removes what is left of a hotel that can no longer be restored, rename changes the name of the chat application, chat creates an additional one. */
  kind: 'create' | 'delete' | 'end' | 'restore' | 'suspend' | 'reopen' | 'rename' | 'chat'
  /** Status. */
  status: 'running' | 'completed' | 'undoing' | 'undone' | 'parked'
  /** Steps, in order. */
  steps: SetupStep[]
  /** Error that stopped the run, without secrets and without raw answers of providers. */
  error: string | null
  /** Start of the run. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** One step of a run. */
export type SetupStep = {
  /** Position in the procedure, from 1. */
  position: number
  /** Name of the step: validate, record, qr-code, chat, workspace, storage, payment, administrator, event … */
  name: string
  /** Status. */
  status: 'pending' | 'started' | 'done' | 'failed' | 'undoing' | 'undone'
  /** Number of attempts, including those to undo the step. */
  attempts: number
  /** Error of the last attempt. */
  error: string | null
  /** Start of the first attempt. */
  startedAt: string | null
  /** End of the last attempt. */
  finishedAt: string | null
}

/** Id, the changed fields and the time of the change. Fields that weren't in the request are omitted; cleared fields are null. */
export type UpdateHotelResponse = {
  /** Hotel id. */
  id: string
  /** Name, if changed. */
  name?: string
  /** Street address, if changed. */
  address?: string
  /** City, if changed. */
  city?: string
  /** Country, if changed. */
  country?: string
  /** Phone number, if changed. */
  phone?: string
  /** E-mail address, if changed. */
  email?: string
  /** Website, if changed. */
  website?: string
  /** Group id, if changed. */
  groupId?: string
  /** Settings profile id, if changed. */
  settingId?: string
  /** Type id, if changed. */
  typeId?: string
  /** Whether the hotel is active, if changed. */
  isActive?: boolean
  /** Time of the change. */
  updatedAt: string | null
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** All invalid fields. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Hotel service. */
export type HotelOperations = {
  /** Returns the chat application of a hotel. Creates it under this name if there is none. NotFoundError for an unknown hotel; 502 when the provider fails. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`hotelId`) · **Permission:** `manage_ecosystem` */
  createChatApp(
    input: {
      body: CreateChatAppRequest
    },
    options?: CallOptions,
  ): Promise<CreateChatAppResponse>
  /** Returns statistics of the hotel's chat application, from the provider. NotFoundError when the hotel has none; 502 when the provider fails.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`hotelId`) */
  getChatStats(
    input: {
      /** Hotel id. */
      hotelId: string
    },
    options?: CallOptions,
  ): Promise<GetChatStatsResponse>
  /** Creates a group. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** platform administrator */
  createGroup(
    input: {
      body: CreateGroupRequest
    },
    options?: CallOptions,
  ): Promise<Group>
  /** Soft-deletes a group. Its hotels remain, without a group. NotFoundError for an unknown group.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: the counterpart of add. */
  deleteGroup(
    input: {
      /** Group id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteGroupResponse>
  /** Lists the groups with a hotel of the caller, by name; all groups for a platform administrator.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listGroups(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListGroupsResponse>
  /** Returns one group with those of its hotels that the caller belongs to; all its hotels for a platform administrator. NotFoundError when the group is unknown or has no hotel of the caller.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  getGroup(
    input: {
      /** Group id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetGroupResponse>
  /** Updates the fields in the body. NotFoundError for an unknown record.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: changes the name and logo of a group. */
  updateGroup(
    input: {
      /** Group id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New URL of the logo, http or https or without a scheme. */
        logo_url?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Group>
  /** Creates a hotel and sets up its ecosystem in nine steps: validation, record, QR code, chat application, workspace, storage, subscription, administrator, event. When a step fails, all earlier steps are undone and its error is returned, 502 for a provider. NotFoundError for an unknown group ("Group not found"), type or settings profile. A repeated Idempotency-Key returns the first result; UnprocessableError for another request with the same key. ConflictError while another set-up blocks this one.
   *
   * **Callers:** platform administrator */
  createHotel(
    input: {
      body: CreateHotelRequest
    },
    options?: CallOptions,
  ): Promise<CreateHotelResponse>
  /** Soft-deletes a hotel. Its members lose access, the subscription is cancelled and the chat application is deactivated; each of these is retried until it succeeds. NotFoundError for an unknown hotel, ConflictError while the hotel is being restored.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`id`) · **Permission:** `manage_ecosystem` */
  deleteHotel(
    input: {
      /** Hotel id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteHotelResponse>
  /** Lists the caller's hotels by name; all hotels for a platform administrator.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listHotels(
    input?: {
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** Only hotels in this group. */
      groupId?: string
      /** Only hotels in this city, ignoring case. */
      city?: string
      /** Only active (true) or inactive (false) hotels. */
      isActive?: boolean
      /** Only hotels whose name contains this text, ignoring case, or the hotel with this id. */
      search?: string
    },
    options?: CallOptions,
  ): Promise<ListHotelsResponse>
  /** Returns one hotel. NotFoundError for an unknown hotel.
   *
   * **Callers:** person, credential, service key · **Tenant:** ecosystem (`id`) */
  getHotel(
    input: {
      /** Hotel id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetHotelResponse>
  /** Restores a deleted hotel within its grace period, with the members that the deletion deactivated and the rest of its trial. The hotel is inactive when its trial is over and no subscription is paid. NotFoundError for an unknown hotel, ConflictError when it isn't deleted or the grace period is over.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: undoes a deletion. */
  restoreHotel(
    input: {
      /** Hotel id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<RestoreHotelResponse>
  /** Lists runs, newest first.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators find parked runs. */
  listSetups(
    input?: {
      /** Only runs in this status. */
      status?: 'running' | 'completed' | 'undoing' | 'undone' | 'parked'
      /** Only runs of this hotel. */
      hotelId?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListSetupsResponse>
  /** Returns one run with its steps, also while it is running. NotFoundError for an unknown run.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: shows the progress of a set-up. */
  getSetup(
    input: {
      /** Run id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Setup>
  /** Resumes a parked run where it stopped. NotFoundError for an unknown run, ConflictError when it isn't parked.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators resume parked runs. */
  resumeSetup(
    input: {
      /** Run id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Setup>
  /** Updates the fields in the body. A new name also renames the chat application; another settings profile sends settings:updated to the hotel's room. NotFoundError for an unknown hotel, or an unknown group, type or profile in the body; ConflictError for another activity while the hotel is still being closed or opened.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`id`) · **Permission:** `manage_ecosystem` */
  updateHotel(
    input: {
      /** Hotel id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New street address. */
        address?: string | null
        /** New city. */
        city?: string | null
        /** New country. */
        country?: string | null
        /** New phone number. */
        phone?: string | null
        /** New e-mail address. */
        email?: string | null
        /** New website, http or https or without a scheme. */
        website?: string | null
        /** New group. Platform administrators only, because a group spans tenants; others may send the present one. */
        groupId?: string | null
        /** New settings profile. Platform administrators may choose any, others that of a hotel that they administer. */
        settingId?: string | null
        /** New type. */
        typeId?: string | null
        /** False suspends the hotel: it is closed for its people until this is true again, and keeps its subscription. Platform administrators only; others may send the present value. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<UpdateHotelResponse>
  /** Creates a profile. Omitted fields get their defaults. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** platform administrator */
  createSetting(
    input: {
      body: CreateSettingRequest
    },
    options?: CallOptions,
  ): Promise<Setting>
  /** Lists the profiles of the caller's hotels, oldest first; all profiles for a platform administrator.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listSettings(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListSettingsResponse>
  /** Returns one profile. NotFoundError when no hotel of the caller uses it.
   *
   * **Callers:** person, credential · **Tenant:** own tenants
   *
   * Added to the original contract: clients show one profile. */
  getSetting(
    input: {
      /** Profile id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Setting>
  /** Updates the fields in the body. Requires the permission in every hotel that uses the profile. Sends settings:updated to the room of each of these hotels. NotFoundError for an unknown profile, ForbiddenError without the permission.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem` */
  updateSetting(
    input: {
      /** Profile id. */
      id: string
      body: {
        /** New IANA time zone. ValidationError for an unknown one. */
        timezone?: string | null
        /** New language code. */
        language?: string | null
        /** New ISO 4217 currency code. */
        currency?: string | null
        /** New earliest check-in, HH:mm. */
        check_in_time?: string | null
        /** New latest check-out, HH:mm. */
        check_out_time?: string | null
        /** Whether push notifications are sent. */
        enable_push?: boolean | null
        /** Whether notification e-mails are sent. */
        enable_email?: boolean | null
        /** New main colour, #RRGGBB or #RGB. */
        primary_color?: string | null
        /** New second colour, #RRGGBB or #RGB. */
        secondary_color?: string | null
        /** Whether text messages are sent. */
        enable_sms?: boolean | null
        /** New URL of the logo, http or https or without a scheme. */
        logo_url?: string | null
        /** New URL of the picture that greets people at the sign-in, http or https or without a scheme. */
        picture_url?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Setting>
  /** Creates a type. ConflictError when the name is taken. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** platform administrator */
  createType(
    input: {
      body: CreateTypeRequest
    },
    options?: CallOptions,
  ): Promise<HotelType>
  /** Deletes a type. NotFoundError for an unknown type, ConflictError while a hotel uses it, also a deleted one that can be restored.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: the counterpart of add. */
  deleteType(
    input: {
      /** Type id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteTypeResponse>
  /** Lists all types by name.
   *
   * **Callers:** person, credential */
  listTypes(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTypesResponse>
  /** Updates the fields in the body. NotFoundError for an unknown record, ConflictError for a taken name.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: corrects a type. */
  updateType(
    input: {
      /** Type id. */
      id: string
      body: {
        /** New unique name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New icon name or emoji. */
        icon?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<HotelType>
  /** Returns the current weather and a forecast, cached for ten minutes. While the provider is down, returns the last answer with Age and Warning headers. NotFoundError for an unknown city; 502 when the provider is down and no answer is cached.
   *
   * **Callers:** person */
  getWeather(
    input: {
      /** City name, 1 to 120 characters. */
      city: string
    },
    options?: CallOptions,
  ): Promise<GetWeatherResponse>
}

export const hotelRoutes: ClientRoutes<HotelOperations> = {
  createChatApp: {
    verb: 'POST',
    path: '/chat/create-app',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  getChatStats: {
    verb: 'GET',
    path: '/chat/stats/{hotelId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createGroup: {
    verb: 'POST',
    path: '/group/add',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteGroup: {
    verb: 'DELETE',
    path: '/group/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listGroups: {
    verb: 'GET',
    path: '/group/get/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getGroup: {
    verb: 'GET',
    path: '/group/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateGroup: {
    verb: 'PATCH',
    path: '/group/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createHotel: {
    verb: 'POST',
    path: '/hotel/add',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteHotel: {
    verb: 'DELETE',
    path: '/hotel/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listHotels: {
    verb: 'GET',
    path: '/hotel/get/all',
    query: ['page', 'limit', 'groupId', 'city', 'isActive', 'search'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getHotel: {
    verb: 'GET',
    path: '/hotel/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  restoreHotel: {
    verb: 'POST',
    path: '/hotel/restore/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listSetups: {
    verb: 'GET',
    path: '/hotel/setups',
    query: ['status', 'hotelId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getSetup: {
    verb: 'GET',
    path: '/hotel/setups/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  resumeSetup: {
    verb: 'POST',
    path: '/hotel/setups/{id}/resume',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  updateHotel: {
    verb: 'PATCH',
    path: '/hotel/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createSetting: {
    verb: 'POST',
    path: '/setting/add',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listSettings: {
    verb: 'GET',
    path: '/setting/get/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getSetting: {
    verb: 'GET',
    path: '/setting/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateSetting: {
    verb: 'PATCH',
    path: '/setting/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createType: {
    verb: 'POST',
    path: '/type/add',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteType: {
    verb: 'DELETE',
    path: '/type/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listTypes: {
    verb: 'GET',
    path: '/type/get/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateType: {
    verb: 'PATCH',
    path: '/type/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getWeather: {
    verb: 'GET',
    path: '/weather/{city}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
}
