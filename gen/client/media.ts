// Written by npm run gen from gen/openapi/media.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** Says what happened. */
export type DeleteMediaResponse = {
  /** For a person. */
  message: string
  /** File id. */
  id: string
}

/** Storage of an ecosystem. One MO is 1,000,000 bytes. */
export type GetMediaUsageResponse = {
  /** Ecosystem id. */
  ecosystemId: string
  /** Quota in units. */
  max_size: number
  /** Unit of the quota: MO. */
  unit: string
  /** Bytes stored or reserved by uploads under way; a whole number. */
  usedBytes: number
  /** Bytes that may still be stored; a whole number. */
  availableBytes: number
  /** Stored files. */
  filesCount: number
}

/** A page of files. */
export type ListMediaResponse = {
  /** Files, newest first. */
  data: MediaFile[]
  /** Totals. */
  meta: PageMeta | null
}

/** A stored file as answered. */
export type MediaFile = {
  /** File id, random. */
  id: string
  /** Address to download the file from. */
  fileUrl: string
  /** Address of the thumbnail of 480 pixels, upright and in WebP; null for what has none: what is no image, SVG, HEIC, damaged pictures. */
  thumbnailUrl: string | null
  /** Media type found in the bytes. */
  contentType: string
  /** Size in bytes. */
  size: number
  /** Name given by the uploader, made harmless. */
  fileName: string
  /** Folder. */
  folder: string
  /** Ecosystem that owns the file. */
  ecosystemId: string
  /** Width in pixels as it is shown; null for what is no image. */
  width: number | null
  /** Height in pixels as it is shown; null for what is no image. */
  height: number | null
  /** Member id of the uploader; null when a service stored it. */
  uploadedBy: string | null
  /** Time of the upload. */
  createdAt: string | null
}

/** The meta part of a paginated answer (document 1, tenancy rule 6). */
export type PageMeta = {
  /** Records that match, over all pages. */
  total: number
  /** The page answered, from 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** Every invalid field. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Media service. */
export type MediaOperations = {
  /** Lists the files of an ecosystem, newest first.
   *
   * **Callers:** person, credential, service key · **Tenant:** ecosystem (`ecosystemId`)
   *
   * Not documented elsewhere: a media picker needs a list. */
  listMedia(
    input?: {
      /** Ecosystem; the caller's own when absent. */
      ecosystemId?: string
      /** Only files of this folder. */
      folder?: string
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMediaResponse>
  /** Streams a file out, to anybody who knows its unguessable id, so that an <img> can show it. Types that a browser could run are saved rather than shown. Takes Range, If-Range, If-None-Match and If-Modified-Since. RangeNotSatisfiableError. NotFoundError, also for the thumbnail of what has none; ServiceUnavailableError while too many thumbnails are being made.
   *
   * **Callers:** public
   *
   * Not documented elsewhere: what fileUrl points to. */
  downloadMedia(
    input: {
      /** File id. */
      id: string
      /** original, or a thumbnail that fits into a square: small (160 pixels), medium or thumbnail (480), large (1280), always WebP; original when absent. */
      variant?: 'original' | 'thumbnail' | 'small' | 'medium' | 'large'
    },
    options?: CallOptions,
  ): Promise<Response>
  /** Deletes a file and frees its space; for who uploaded it and holders of manage_ecosystem. NotFoundError, ForbiddenError.
   *
   * **Callers:** person, credential, service key · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: a stored file must be removable. */
  deleteMedia(
    input: {
      /** File id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteMediaResponse>
  /** Stores a file. The type is sniffed from the bytes, the name is random, the space is reserved before bytes are taken. ForbiddenError on a foreign ecosystem; ValidationError when no file comes, a picture with too many pixels, or an ecosystem that there is none of; 413 with what is left when the quota or the size limit is exceeded; ServiceUnavailableError while the storage is full. With an Idempotency-Key the same file comes to the same record for a day: ConflictError while the first upload runs, UnprocessableError for another file.
   *
   * **Callers:** person, credential, service key · **Tenant:** the record's tenant */
  uploadMedia(
    input: {
      body: {
        /** The file. */
        file: Blob
        /** Folder such as qr-codes; general when empty. Letters, digits, - and _, parts divided by /. */
        folder?: string
        /** Ecosystem that owns the file; the caller's own when empty, required of a service. */
        ecosystemId?: string
      }
    },
    options?: CallOptions,
  ): Promise<MediaFile>
  /** What an ecosystem stores and may store.
   *
   * **Callers:** person, credential, service key · **Tenant:** ecosystem (`ecosystemId`)
   *
   * Not documented elsewhere: people must see what is left before an upload fails. */
  getMediaUsage(
    input: {
      /** Ecosystem id. */
      ecosystemId: string
    },
    options?: CallOptions,
  ): Promise<GetMediaUsageResponse>
}

export const mediaRoutes: Routes<MediaOperations> = {
  listMedia: {
    verb: 'GET',
    path: '/media/files',
    query: ['ecosystemId', 'folder', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  downloadMedia: {
    verb: 'GET',
    path: '/media/files/{id}',
    query: ['variant'],
    body: 'none',
    answer: 'stream',
    repeatable: true,
    keyed: false,
    open: true,
  },
  deleteMedia: {
    verb: 'DELETE',
    path: '/media/files/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  uploadMedia: {
    verb: 'POST',
    path: '/media/upload',
    query: [],
    body: 'form',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  getMediaUsage: {
    verb: 'GET',
    path: '/media/usage/{ecosystemId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
}
