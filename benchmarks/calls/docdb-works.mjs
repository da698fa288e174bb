// What the embedded database is asked for, one operator at a time: each stage, expression, accumulator, window function, query operator and update
// operator that it offers, as applications use it.

export const DOCUMENTS = 3000;

/** A document of the collection `items`; other collections hold what joins and searches need. */
export const item = (n) => ({
  _id: n,
  n,
  price: (n * 37) % 1000,
  rate: ((n * 7919) % 10007) / 7,
  low: (n % 19) / 20,
  small: n % 40,
  text: `Item number ${n} of the Shop`,
  padded: `   padded ${n % 97}  `,
  key: `key${n % 300}`,
  at: new Date(Date.UTC(2024, n % 12, 1 + (n % 28), n % 24, n % 60, n % 60, n % 1000)),
  tags: [`t${n % 5}`, `t${n % 7}`, `t${n % 11}`],
  others: [`t${n % 3}`, `t${n % 7}`],
  numbers: [n % 10, (n * 3) % 17, (n * 5) % 23],
  lines: [
    { sku: `a${n % 50}`, count: n % 9, on: n % 2 === 0 },
    { sku: `b${n % 60}`, count: n % 4, on: n % 3 === 0 },
  ],
  owner: { id: n % 200, name: `Owner ${n % 200}`, address: { city: `City ${n % 30}` } },
  parent: n === 0 ? null : n >> 1,
  place: { type: 'Point', coordinates: [(n % 360) - 180, ((n * 7) % 170) - 85] },
  ...(n % 4 === 0 ? {} : { maybe: n }),
});

/** Stages, each with something to do. `$out` and `$merge` write elsewhere. */
const STAGES = {
  $addFields: [{ $addFields: { total: { $multiply: ['$price', 2] }, 'owner.known': true } }],
  $bucket: [{ $bucket: { groupBy: '$price', boundaries: [0, 100, 500, 1000], output: { n: { $sum: 1 } } } }],
  $bucketAuto: [{ $bucketAuto: { groupBy: '$price', buckets: 10 } }],
  $count: [{ $match: { price: { $gte: 0 } } }, { $count: 'n' }],
  $densify: [{ $limit: 400 }, { $densify: { field: 'n', range: { step: 0.25, bounds: 'full' } } }],
  $facet: [{ $facet: { cheap: [{ $match: { price: { $lt: 100 } } }, { $count: 'n' }], keys: [{ $sortByCount: '$key' }] } }],
  $fill: [{ $fill: { sortBy: { n: 1 }, output: { maybe: { method: 'linear' } } } }],
  $graphLookup: [
    { $match: { n: { $gte: DOCUMENTS - 40 } } },
    { $graphLookup: { from: 'items', startWith: '$parent', connectFromField: 'parent', connectToField: '_id', as: 'above' } },
  ],
  $group: [{ $group: { _id: '$key', sum: { $sum: '$price' }, mean: { $avg: '$rate' }, most: { $max: '$n' } } }],
  '$group by two': [{ $group: { _id: { city: '$owner.address.city', small: '$small' }, n: { $sum: 1 } } }],
  '$lookup by an index': [{ $limit: 500 }, { $lookup: { from: 'owners', localField: 'owner.id', foreignField: '_id', as: 'of' } }],
  '$lookup by a pipeline': [
    { $limit: 100 },
    { $lookup: { from: 'owners', let: { id: '$owner.id' }, pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$id'] } } }], as: 'of' } },
  ],
  $match: [{ $match: { price: { $gte: 100, $lt: 700 }, 'owner.address.city': { $ne: 'City 3' } } }, { $count: 'n' }],
  $merge: [{ $limit: 300 }, { $project: { price: 1 } }, { $merge: { into: 'merged' } }],
  $out: [{ $limit: 300 }, { $out: 'outed' }],
  $project: [{ $project: { text: 1, owner: { name: 1 }, double: { $add: ['$price', '$price'] } } }],
  '$project without': [{ $project: { lines: 0, 'owner.address': 0, place: 0 } }],
  $redact: [{ $redact: { $cond: [{ $gt: [{ $ifNull: ['$price', 1000] }, 300] }, '$$DESCEND', '$$PRUNE'] } }],
  $replaceRoot: [{ $replaceRoot: { newRoot: { $mergeObjects: ['$owner', { n: '$n' }] } } }],
  $replaceWith: [{ $replaceWith: '$owner' }],
  $sample: [{ $sample: { size: 200 } }],
  $set: [{ $set: { 'owner.name': 'the same' } }],
  $setWindowFields: [
    { $setWindowFields: { partitionBy: '$key', sortBy: { n: 1 }, output: { sum: { $sum: '$price', window: { documents: [-2, 0] } } } } },
  ],
  '$skip and $limit': [{ $skip: 500 }, { $limit: 500 }],
  $sort: [{ $sort: { price: -1, text: 1 } }],
  '$sort and $limit': [{ $sort: { rate: 1 } }, { $limit: 20 }],
  $sortByCount: [{ $sortByCount: '$key' }],
  $unionWith: [{ $limit: 500 }, { $unionWith: { coll: 'owners' } }],
  $unset: [{ $unset: ['lines', 'owner.name'] }],
  $unwind: [{ $unwind: '$lines' }, { $count: 'n' }],
};

const date = '$at';
const zone = { date, timezone: 'Europe/Vienna' };
const trigonometry = [
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'atanh',
  'degreesToRadians',
  'radiansToDegrees',
];
const ofNumbers = [
  'abs',
  'ceil',
  'floor',
  'exp',
  'sqrt',
  'sigmoid',
  'toInt',
  'toLong',
  'toDouble',
  'toDecimal',
  'toBool',
  'toString',
  'isNumber',
  'type',
];
const ofDates = [
  'year',
  'month',
  'dayOfMonth',
  'dayOfWeek',
  'dayOfYear',
  'hour',
  'minute',
  'second',
  'millisecond',
  'week',
  'isoWeek',
  'isoWeekYear',
  'isoDayOfWeek',
];
const binary = (names, ...values) => Object.fromEntries(names.map((name) => [`$${name}`, { [`$${name}`]: values }]));
const unary = (names, value) => Object.fromEntries(names.map((name) => [`$${name}`, { [`$${name}`]: value }]));
const whole = { $toInt: '$low' };

/** Expressions, evaluated for each document. */
const EXPRESSIONS = {
  ...unary(trigonometry, '$low'),
  ...unary(ofNumbers, '$small'),
  ...unary(ofDates, date),
  ...binary(['add', 'subtract', 'multiply', 'cmp', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'atan2'], '$price', '$n'),
  ...binary(['divide', 'mod', 'pow'], '$rate', 3),
  $log: { $log: [{ $add: ['$rate', 1] }, 3] },
  ...binary(['bitAnd', 'bitOr', 'bitXor'], '$n', '$small'),
  ...binary(['round', 'trunc'], '$rate', 2),
  ...binary(['setDifference', 'setEquals', 'setIntersection', 'setIsSubset', 'setUnion', 'concatArrays'], '$tags', '$others'),
  ...binary(['and', 'or'], '$on', { $gt: ['$n', 3] }),
  ...unary(['toUpper', 'toLower', 'strLenCP', 'strLenBytes'], '$text'),
  ...unary(['allElementsTrue', 'anyElementTrue'], ['$numbers']),
  ...unary(['avg', 'sum', 'max', 'min', 'stdDevPop', 'stdDevSamp', 'size', 'isArray', 'reverseArray', 'first', 'last'], '$numbers'),
  $acosh: { $acosh: { $add: ['$low', 1] } },
  $bitNot: { $bitNot: '$n' },
  $ln: { $ln: { $add: ['$rate', 1] } },
  $log10: { $log10: { $add: ['$rate', 1] } },
  $arrayElemAt: { $arrayElemAt: ['$tags', 1] },
  $arrayToObject: { $arrayToObject: [[{ k: 'a', v: '$n' }]] },
  $binarySize: { $binarySize: '$text' },
  $bsonSize: { $bsonSize: '$owner' },
  $concat: { $concat: ['$text', ', ', '$key'] },
  $cond: { $cond: [{ $gt: ['$price', 500] }, 'dear', 'cheap'] },
  $convert: { $convert: { input: '$price', to: 'string' } },
  $dateAdd: { $dateAdd: { startDate: date, unit: 'day', amount: 3 } },
  $dateSubtract: { $dateSubtract: { startDate: date, unit: 'month', amount: 1 } },
  $dateDiff: { $dateDiff: { startDate: date, endDate: new Date('2025-01-01'), unit: 'day' } },
  $dateFromParts: { $dateFromParts: { year: 2024, month: { $add: ['$small', 1] }, day: 3 } },
  $dateFromString: { $dateFromString: { dateString: '2024-03-04T05:06:07Z' } },
  '$dateFromString of fields': {
    $dateFromString: { dateString: { $concat: ['2024-01-', { $toString: { $add: [10, { $mod: ['$n', 9] }] } }] } },
  },
  $dateToParts: { $dateToParts: { date } },
  $dateToString: { $dateToString: { date, format: '%Y-%m-%d %H:%M' } },
  '$dateToString in a zone': { $dateToString: { ...zone, format: '%Y-%m-%d %H:%M' } },
  $dateTrunc: { $dateTrunc: { date, unit: 'week' } },
  '$hour in a zone': { $hour: zone },
  $toDate: { $toDate: '$n' },
  $filter: { $filter: { input: '$lines', as: 'line', cond: { $gt: ['$$line.count', 3] } } },
  $firstN: { $firstN: { n: 2, input: '$numbers' } },
  $lastN: { $lastN: { n: 2, input: '$numbers' } },
  $maxN: { $maxN: { n: 2, input: '$numbers' } },
  $minN: { $minN: { n: 2, input: '$numbers' } },
  $median: { $median: { input: '$numbers', method: 'approximate' } },
  $percentile: { $percentile: { input: '$numbers', p: [0.5, 0.9], method: 'approximate' } },
  $getField: { $getField: { field: 'name', input: '$owner' } },
  $setField: { $setField: { field: 'age', input: '$owner', value: 3 } },
  $ifNull: { $ifNull: ['$maybe', 0] },
  $in: { $in: ['t3', '$tags'] },
  $indexOfArray: { $indexOfArray: ['$tags', 't3'] },
  $indexOfBytes: { $indexOfBytes: ['$text', 'Shop'] },
  $indexOfCP: { $indexOfCP: ['$text', 'Shop'] },
  $let: { $let: { vars: { a: '$price', b: '$n' }, in: { $add: ['$$a', '$$b'] } } },
  $ltrim: { $ltrim: { input: '$padded' } },
  $rtrim: { $rtrim: { input: '$padded' } },
  $trim: { $trim: { input: '$padded' } },
  $map: { $map: { input: '$lines', as: 'line', in: { $multiply: ['$$line.count', 2] } } },
  $mergeObjects: { $mergeObjects: ['$owner', { age: 4 }] },
  $not: { $not: ['$maybe'] },
  $objectToArray: { $objectToArray: '$owner' },
  $range: { $range: [0, '$small'] },
  $reduce: { $reduce: { input: '$numbers', initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
  $regexFind: { $regexFind: { input: '$text', regex: 'number (\\d+)' } },
  $regexFindAll: { $regexFindAll: { input: '$text', regex: '[a-z]+' } },
  $regexMatch: { $regexMatch: { input: '$text', regex: 'of the', options: 'i' } },
  $replaceAll: { $replaceAll: { input: '$text', find: 'e', replacement: '-' } },
  $replaceOne: { $replaceOne: { input: '$text', find: 'number', replacement: 'no.' } },
  $slice: { $slice: ['$tags', 1, 2] },
  $sortArray: { $sortArray: { input: '$lines', sortBy: { count: -1 } } },
  $split: { $split: ['$text', ' '] },
  $strcasecmp: { $strcasecmp: ['$text', '$key'] },
  $substrBytes: { $substrBytes: ['$text', 2, 6] },
  $substrCP: { $substrCP: ['$text', 2, 6] },
  $switch: {
    $switch: {
      branches: [
        { case: { $lt: ['$price', 100] }, then: 'a' },
        { case: { $lt: ['$price', 800] }, then: 'b' },
      ],
      default: 'c',
    },
  },
  $zip: { $zip: { inputs: ['$tags', '$others'] } },
  'a literal of fields': { a: '$n', b: { c: '$price', d: [whole, '$key'] } },
};

const ACCUMULATORS = {
  ...unary(['addToSet', 'avg', 'first', 'last', 'max', 'min', 'push', 'stdDevPop', 'stdDevSamp', 'sum'], '$price'),
  ...unary(['mergeObjects'], '$owner'),
  ...unary(['concatArrays', 'setUnion'], '$tags'),
  $count: { $count: {} },
  $bottom: { $bottom: { sortBy: { rate: 1 }, output: '$n' } },
  $bottomN: { $bottomN: { sortBy: { rate: 1 }, output: '$n', n: 3 } },
  $top: { $top: { sortBy: { rate: 1 }, output: '$n' } },
  $topN: { $topN: { sortBy: { rate: 1 }, output: '$n', n: 3 } },
  $firstN: { $firstN: { input: '$n', n: 3 } },
  $lastN: { $lastN: { input: '$n', n: 3 } },
  $maxN: { $maxN: { input: '$rate', n: 3 } },
  $minN: { $minN: { input: '$rate', n: 3 } },
  $median: { $median: { input: '$rate', method: 'approximate' } },
  $percentile: { $percentile: { input: '$rate', p: [0.9], method: 'approximate' } },
};

const hours = { range: [-2, 2], unit: 'hour' };
const WINDOWS = {
  $covariancePop: { $covariancePop: ['$n', '$price'], window: { documents: [-3, 3] } },
  $covarianceSamp: { $covarianceSamp: ['$n', '$price'], window: { documents: [-3, 3] } },
  $denseRank: { $denseRank: {} },
  $rank: { $rank: {} },
  $documentNumber: { $documentNumber: {} },
  $derivative: { $derivative: { input: '$price', unit: 'hour' }, window: hours },
  $integral: { $integral: { input: '$price', unit: 'hour' }, window: hours },
  $expMovingAvg: { $expMovingAvg: { input: '$price', N: 4 } },
  $linearFill: { $linearFill: '$maybe' },
  $locf: { $locf: '$maybe' },
  $shift: { $shift: { output: '$n', by: 1 } },
  '$sum over all before': { $sum: '$price', window: { documents: ['unbounded', 'current'] } },
  '$max of a few': { $max: '$price', window: { documents: [-5, 5] } },
  '$avg by range': { $avg: '$price', window: hours },
};

const QUERIES = {
  $all: { tags: { $all: ['t1', 't2'] } },
  $and: { $and: [{ price: { $gt: 3 } }, { n: { $lt: 2000 } }] },
  $bitsAllClear: { n: { $bitsAllClear: 6 } },
  $bitsAllSet: { n: { $bitsAllSet: 6 } },
  $bitsAnyClear: { n: { $bitsAnyClear: [1, 2] } },
  $bitsAnySet: { n: { $bitsAnySet: [1, 2] } },
  $elemMatch: { lines: { $elemMatch: { sku: 'a3', count: { $gt: 1 } } } },
  $eq: { key: 'key7' },
  $exists: { maybe: { $exists: false } },
  $expr: { $expr: { $gt: ['$price', '$n'] } },
  $geoWithin: {
    place: {
      $geoWithin: {
        $geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [40, 0],
              [40, 40],
              [0, 40],
              [0, 0],
            ],
          ],
        },
      },
    },
  },
  $in: { small: { $in: [1, 5, 9, 13] } },
  $jsonSchema: { $jsonSchema: { properties: { price: { bsonType: 'int', minimum: 500 } }, required: ['text'] } },
  $mod: { n: { $mod: [4, 1] } },
  $ne: { small: { $ne: 3 } },
  $nin: { small: { $nin: [1, 5, 9, 13] } },
  $nor: { $nor: [{ small: 3 }, { price: { $lt: 10 } }] },
  $not: { price: { $not: { $gt: 500 } } },
  $or: { $or: [{ small: 3 }, { price: { $lt: 10 } }] },
  $regex: { text: { $regex: 'number 1\\d5 ' } },
  $size: { tags: { $size: 3 } },
  $type: { maybe: { $type: 'number' } },
  'a path through lists': { 'lines.count': 3 },
};

const UPDATES = {
  $addToSet: { $addToSet: { tags: 'new' } },
  $bit: { $bit: { small: { xor: 1 } } },
  $currentDate: { $currentDate: { changed: true } },
  $inc: { $inc: { price: 1 } },
  $max: { $max: { price: 2000 } },
  $min: { $min: { price: -1 } },
  $mul: { $mul: { rate: 1 } },
  $pop: { $pop: { tags: 1 } },
  $pull: { $pull: { lines: { count: { $gt: 100 } }, numbers: 3 } },
  $pullAll: { $pullAll: { tags: ['t1', 't2'] } },
  $push: { $push: { log: { $each: [1, 2], $slice: -3 } } },
  $rename: { $rename: { padded: 'renamed' } },
  $set: { $set: { 'owner.name': 'another', 'lines.$[].on': true } },
  $unset: { $unset: { padded: '', 'owner.address': '' } },
  'a pipeline': [{ $set: { total: { $add: ['$price', '$rate'] } } }],
};

const aggregated = (pipeline) => (db) => db.collection('items').aggregate(pipeline).toArray();

function* works() {
  for (const [name, pipeline] of Object.entries(STAGES)) yield [`stage ${name}`, aggregated(pipeline)];
  for (const [name, value] of Object.entries(EXPRESSIONS)) yield [`expression ${name}`, aggregated([{ $project: { _id: 0, value } }])];
  for (const [name, value] of Object.entries(ACCUMULATORS))
    yield [`accumulator ${name}`, aggregated([{ $group: { _id: '$small', value } }])];
  for (const [name, value] of Object.entries(WINDOWS))
    yield [
      `window ${name}`,
      aggregated([{ $setWindowFields: { partitionBy: '$small', sortBy: { at: 1 }, output: { value } } }, { $project: { value: 1 } }]),
    ];
  for (const [name, filter] of Object.entries(QUERIES)) yield [`query ${name}`, (db) => db.collection('items').countDocuments(filter)];
  for (const [name, update] of Object.entries(UPDATES))
    yield [`update ${name}`, (db) => db.collection('items').updateMany({ _id: { $lt: 300 } }, update)];
}

/** By name; each gets the database. */
export const WORKS = Object.fromEntries(works());
