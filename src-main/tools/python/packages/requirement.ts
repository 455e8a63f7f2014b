/**
 * A package by name, perhaps with extras and versions ("requests==2.32", "pandas[excel]>=2,<3"). Never an option of pip, a path or
 * an address.
 */
export const REQUIREMENT =
  /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._, -]*\])?( *(==|~=|!=|<=|>=|<|>) *[A-Za-z0-9][A-Za-z0-9._*+!-]*( *, *(==|~=|!=|<=|>=|<|>) *[A-Za-z0-9][A-Za-z0-9._*+!-]*)*)?$/;

/** Of one call. */
export const MOST_REQUIREMENTS = 20;
