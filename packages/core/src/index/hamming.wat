;; For every row of sign bits: how many differ from the query's. Rows and query are padded to 16 bytes.
(module
  (memory (export "memory") 1)
  (func (export "scan")
    (param $rows i32) (param $blocks i32) (param $query i32) (param $matrix i32) (param $distances i32)
    (local $block i32)
    (local $at i32)
    (local $sum v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $block (local.get $blocks))
        (local.set $at (local.get $query))
        (loop $next_block
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.extadd_pairwise_i16x8_u
                (i16x8.extadd_pairwise_i8x16_u
                  (i8x16.popcnt
                    (v128.xor (v128.load (local.get $at)) (v128.load (local.get $matrix))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $matrix (i32.add (local.get $matrix) (i32.const 16)))
          (local.set $block (i32.sub (local.get $block) (i32.const 1)))
          (br_if $next_block (local.get $block)))
        (i32.store16
          (local.get $distances)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next_row)))))
