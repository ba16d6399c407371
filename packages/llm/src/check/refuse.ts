import { ApiError, type ApiErrorDetails } from '../errors/api-error.js';

/** A 400 that names the field, in the words of the caller's dialect: `messages.2.role`. */
export function refuse(param: string, message: string, details: ApiErrorDetails = {}): ApiError {
  return new ApiError('invalid_request', `${param}: ${message}`, { param, ...details });
}

/** A value as an error may name it: short, and never the whole of what a caller sent. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
