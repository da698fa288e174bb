export { framework } from './framework.ts';
export { ADAPTER_OPTIONS, CALL_OPTIONS } from './adapter/adapter-options.ts';
export { AdapterService } from './adapter/adapter-service.ts';
export { givenOptions } from './given-options.ts';
export { PackageCopy } from './package-copy.ts';
export { isThenable } from './is-thenable.ts';
export { holdsNothing } from './adapter/holds-nothing.ts';
export { recordExists } from './adapter/record-exists.ts';
export { recordNotFound } from './adapter/record-not-found.ts';
export { checkMany, withoutLimit } from './adapter/several-records.ts';
export { addressKey } from './address-key.ts';
export { announceStart, settingUp } from './application/announce-start.ts';
export { listening } from './application/listening.ts';
export { checkOptionNames, checkSpelling, likelyMeant } from './check-option-names.ts';
export { checkOptionValues, type OptionKind } from './check-option-values.ts';
export { stripSlashes } from './path.ts';
export { urlPath } from './routing/url-path.ts';
export { Application } from './application/application.ts';
export { isApplication, wrapApplication } from './application/registry.ts';
export { isUntold, ToldSeldom } from './application/told-seldom.ts';
export { watchErrors } from './application/watch-errors.ts';
export {
  isNested,
  mountedApplications,
  mountedAt,
  nestApplication,
  nestedApplications,
  outermostApplications,
} from './application/mount.ts';
export { createContext, inspectGuards, inspectHooks, wrapCalls } from './service/service-tools.ts';
export { declareServiceOption } from './service/known-service-options.ts';
export { defaultServiceMethods, argumentNames } from './service/method-arguments.ts';
export { defaultEventMap, defaultServiceEvents, getServiceOptions, SERVICE } from './service/service-options.ts';
export { protectedMethods } from './service/protected-methods.ts';
export { addCallSignal, type SignalSource } from './service/call-signal.ts';
export { copyParams } from './service/copy-params.ts';
export { tellConnection } from './application/tell-connection.ts';
export { tellDisconnect } from './application/tell-disconnect.ts';
export { reportListenerError, tellListeners, type ListenedApplication } from './application/tell-listeners.ts';
export { LOGIN_SERVICE } from './service/login-service.ts';
export { LOGIN_STRATEGY, loginMarks } from './service/login-marks.ts';
export { loginResult } from './service/login-result.ts';
export { noAuthentication } from './service/no-authentication.ts';
export { recordChanged, checkPrecondition, knownPrecondition, versionOf } from './service/precondition.ts';
export { repeating } from './hooks/compose.ts';
export { checking } from './hooks/checking.ts';
export { guard } from './hooks/guard.ts';
export { usingCore } from './hooks/using-core.ts';
export { authenticating, neededBy } from './description/authenticating.ts';
export { describing } from './description/describing.ts';
export { nearestBeside } from './description/nearest-beside.ts';
export { describeService, describesItself } from './description/describe-service.ts';
export { describeTransport, transportsOf } from './description/endpoints.ts';
export { tellsName } from './description/tells-name.ts';
export { describePublishing, inspectPublishers } from './description/publishers.ts';
export { loadApplication } from './application/load-application.ts';
export { runProgram } from './application/run-program.ts';
export { answerBy, answerFinally, callerAnswer, isAnswered, reachedMethod, whenEnded } from './hooks/caller-answer.ts';
export { passedOnParams, paramsFor } from './service/passed-on-params.ts';
export { isUnpublished, keepUnpublished } from './service/unpublished.ts';
export { holdsEvents, type EventHold, type EventHolder } from './service/held-events.ts';
export { checkJson } from './records/check-json.ts';
export { eachRecord, eachRecordAsync } from './records/each-record.ts';
export { isKept, notKept } from './records/not-kept.ts';
export { NOBODY } from './records/nobody.ts';
export { locationsOn, partsOf } from './records/path.ts';
export { comparesPath, comparesWithin, READING_OPERATORS, REMOVING_OPERATORS } from './records/update-operators.ts';
export { PathRules } from './records/path-rules.ts';
export { contributedRules, contributing } from './records/contributed-rules.ts';
export { keepReplaced } from './records/keep-replaced.ts';
export { keepsPaths, keptPaths } from './records/kept-paths.ts';
export { replacedBy } from './records/replaced.ts';
export { concealed } from './records/concealed.ts';
export { convertsConditions } from './records/converts-conditions.ts';
export { shownError } from './records/shown-error.ts';
export { getRules } from './records/service-rules.ts';
export { isRecordSource, isStream, lettingGo, stopRecords, stopsAtOnce, type RecordSource } from './records/record-source.ts';
export { originOf, rememberOrigin } from './records/record-origin.ts';
export { rememberParts } from './records/remember-parts.ts';
export { checkedQuery } from './records/checked-query.ts';
export { formOf } from './records/result-form.ts';
export { MAX_PROBLEMS, refuseLateRules } from './records/record-rules.ts';
export { ALL_REDACT_RULES, Redaction } from './records/redact.ts';
export { unseenConditions } from './records/seen-conditions.ts';
export { showRecords } from './records/show-records.ts';
export { ShownParts } from './records/shown-parts.ts';
export { ALL_MARK_RULES, Sight } from './records/sight.ts';
export { closedPaths } from './records/closed-paths.ts';
export { kindOf } from './records/value-kind.ts';
export { version } from './version.ts';
export type { AdapterOptions, AdapterParams } from './adapter/adapter-options.ts';
export type {
  MethodNames,
  MethodsOf,
  NoServices,
  RegistrationOptions,
  ServiceAt,
  ServiceLocation,
  ServicePath,
  ServiceToUse,
  ServiceWith,
  WithService,
} from './application/application-services.ts';
export type { ApplicationAddons, RouteTarget, ServiceLookup, ServiceMixin } from './application/application.ts';
export type { RouteMatch, RouteTable } from './routing/route-table.ts';
export type {
  ApplicationHookContext,
  ApplicationHookFunction,
  ApplicationHookMap,
  AroundHookFunction,
  AsPluginApplication,
  HookContext,
  HookFunction,
  HookMap,
  HookType,
  Http,
  LifecycleHookMap,
  NextFunction,
  PluginApplication,
} from './hooks/hook-types.ts';
export type { EndListener } from './hooks/call-context.ts';
export type { LoginMarks, LoginStrategy } from './service/login-marks.ts';
export type { InspectedHook } from './hooks/inspect-registry.ts';
export type { DescribedMethod, DescribesHook, HookDescription } from './description/describing.ts';
export type { CheckedMethod } from './hooks/checking.ts';
export type { HookedMethod, NeededCredentials, NeedsCredentials } from './description/authenticating.ts';
export type {
  CollectionDescription,
  CredentialDescription,
  DescribedSchema,
  MethodDescription,
  QueryDescription,
  RecordDescription,
  ServiceDescription,
} from './description/described.ts';
export type { EndpointDescription, TransportDescription } from './description/endpoints.ts';
export type { FindsPublisher, InspectedPublisher } from './description/publishers.ts';
export type { PaginationSizes } from './description/page-sizes.ts';
export type { NestedApplication } from './application/mount.ts';
export type { LoadedApplication } from './application/load-application.ts';
export type { ErrorWatcher } from './service/error-watchers.ts';
export type { Precondition, VersionedService } from './service/precondition.ts';
export type {
  EventListener,
  EventRecordOf,
  FrameworkService,
  Id,
  LooseService,
  NormalizedServiceOptions,
  NullableId,
  Paginated,
  Params,
  Query,
  RecordEvent,
  RecordOf,
  ServiceAddons,
  ServiceExtension,
  ServiceLifecycle,
  ServiceListener,
  ServiceMethods,
  ServiceOptions,
} from './service/service-types.ts';
export type { FieldRule, Marks, Place } from './records/place.ts';
export type { Look, RecordOrigin, Shown } from './records/record-origin.ts';
export type {
  Contribution,
  Problem,
  PropertyRules,
  RecordRules,
  Reference,
  Replacement,
  Viewer,
  WriteOperation,
} from './records/record-rules.ts';
export type { RedactRules } from './records/redact.ts';
export type { MarkRules } from './records/sight.ts';
export type { Walked } from './records/closed-paths.ts';
