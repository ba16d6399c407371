/** A JSON text and its canonical form by RFC 8785, with the SHA-256 of that in UTF-8. All are members of one object. */
export interface CanonicalVector {
  readonly what: string;
  readonly json: string;
  readonly canonical: string;
}

/** The examples of RFC 8785 (3.2.2, 3.2.3, appendix B), and what implementations stumble over. */
export const RFC8785_VECTORS: readonly CanonicalVector[] = [
  {
    what: 'numbers',
    json: '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]',
    canonical: '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
  },
  {
    what: 'numbers at the borders of their notations',
    json: '[1e21,1e20,123456789012345680000,0.000001,0.0000001,1e-7,1.5e-10,-1e-9,100000,1e5,9007199254740991,-9007199254740991]',
    canonical:
      '[1e+21,100000000000000000000,123456789012345680000,0.000001,1e-7,1e-7,1.5e-10,-1e-9,100000,100000,9007199254740991,-9007199254740991]',
  },
  { what: 'zeros and whole numbers with a point', json: '[0,-0,0.0,-0.0,1.0,10.0,-5.0]', canonical: '[0,0,0,0,1,10,-5]' },
  {
    what: 'the largest and smallest doubles',
    json: '[5e-324,1.7976931348623157e308,-5e-324,2.2250738585072014e-308]',
    canonical: '[5e-324,1.7976931348623157e+308,-5e-324,2.2250738585072014e-308]',
  },
  {
    what: 'escapes in strings',
    json: '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"',
    canonical: '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"',
  },
  {
    what: 'control characters, DEL and line separators',
    json: '"\\b\\t\\n\\f\\r\\u0000\\u001f\\u007f\\u2028\\u2029"',
    canonical: '"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f\u2028\u2029"',
  },
  {
    what: 'names by UTF-16 code units',
    json: '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
    canonical: '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}',
  },
  {
    what: 'nesting, blanks, literals, empty lists and objects',
    json: '{ "b" : [ ] , "a" : { "z" : null , "y" : [ true , { } , false ] } }',
    canonical: '{"a":{"y":[true,{},false],"z":null},"b":[]}',
  },
];
