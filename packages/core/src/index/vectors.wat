;; Stored vectors are rows of f16 components, queries are f32; both are padded with zeros to blocks of 32.
;; Addresses are in bytes.
(module
  (memory (export "memory") 1)

  ;; Four f16 components as f32. Of what is not finite something finite becomes: see $largest.
  (func $widen (param $at i32) (result v128)
    (local $halves v128)
    (local.set $halves (v128.load64_zero (local.get $at)))
    (local.set $halves (i32x4.extend_low_i16x8_u (local.get $halves)))
    (v128.or
      (i32x4.shl (v128.and (local.get $halves) (v128.const i32x4 0x8000 0x8000 0x8000 0x8000)) (i32.const 16))
      ;; 2^112 is between the biases of the two formats' exponents.
      (f32x4.mul
        (i32x4.shl (v128.and (local.get $halves) (v128.const i32x4 0x7fff 0x7fff 0x7fff 0x7fff)) (i32.const 13))
        (v128.const f32x4 0x1p112 0x1p112 0x1p112 0x1p112))))

  (func $sum (param $lanes v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $lanes)) (f32x4.extract_lane 1 (local.get $lanes)))
      (f32.add (f32x4.extract_lane 2 (local.get $lanes)) (f32x4.extract_lane 3 (local.get $lanes)))))

  ;; Whether all components of a row are finite.
  (func $finite (param $row i32) (param $blocks i32) (result i32)
    (local $end i32)
    (local $largest v128)
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $blocks) (i32.const 6))))
    (loop $next
      (local.set $largest
        (i16x8.max_u
          (local.get $largest)
          (v128.and
            (v128.load (local.get $row))
            (v128.const i16x8 0x7fff 0x7fff 0x7fff 0x7fff 0x7fff 0x7fff 0x7fff 0x7fff))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))
    (i32.eqz
      (v128.any_true
        (i16x8.ge_u
          (local.get $largest)
          (v128.const i16x8 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00)))))

  ;; Cosine similarity of a row and a query of length 1; NaN when the row is no vector.
  (func (export "similarity") (param $row i32) (param $query i32) (param $blocks i32) (result f32)
    (local $end i32)
    (local $four v128)
    (local $dot v128)
    (local $square v128)
    (if (i32.eqz (call $finite (local.get $row) (local.get $blocks)))
      (then (return (f32.const nan))))
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $blocks) (i32.const 6))))
    (loop $next
      (local.set $four (call $widen (local.get $row)))
      (local.set $dot (f32x4.add (local.get $dot) (f32x4.mul (local.get $four) (v128.load (local.get $query)))))
      (local.set $square (f32x4.add (local.get $square) (f32x4.mul (local.get $four) (local.get $four))))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (local.set $query (i32.add (local.get $query) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))
    (f32.div (call $sum (local.get $dot)) (f32.sqrt (call $sum (local.get $square)))))

  ;; Writes a row's components in 4 bits each, those of a block in 16 bytes: bits 4m to 4m + 3 of u16 number j are
  ;; component 8m + j. Level u stands for u - 7.5 steps; there are $steps steps in the row's length.
  ;; Returns what a sum of steps is to be multiplied by to be a cosine; 0 when the row is no vector.
  (func (export "pack") (param $row i32) (param $blocks i32) (param $steps f32) (param $out i32) (result f32)
    (local $end i32)
    (local $at i32)
    (local $shift i32)
    (local $length f32)
    (local $inverse f32)
    (local $four v128)
    (local $levels v128)
    (local $others v128)
    (local $packed v128)
    (local $sums v128)
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $blocks) (i32.const 6))))
    (local.set $at (local.get $row))
    (loop $next
      (local.set $four (call $widen (local.get $at)))
      (local.set $sums (f32x4.add (local.get $sums) (f32x4.mul (local.get $four) (local.get $four))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $length (f32.sqrt (call $sum (local.get $sums))))
    (if (i32.or (f32.eq (local.get $length) (f32.const 0)) (i32.eqz (call $finite (local.get $row) (local.get $blocks))))
      (then (return (f32.const 0))))
    (local.set $inverse (f32.div (local.get $steps) (local.get $length)))
    (local.set $sums (v128.const i32x4 0 0 0 0))
    (loop $next_block
      (local.set $packed (v128.const i32x4 0 0 0 0))
      (local.set $shift (i32.const 0))
      (loop $next_eight
        (local.set $four (call $widen (local.get $row)))
        (local.set $levels (call $level (local.get $four) (local.get $inverse)))
        (local.set $sums (call $add_steps (local.get $sums) (local.get $four) (local.get $levels)))
        (local.set $four (call $widen (i32.add (local.get $row) (i32.const 8))))
        (local.set $others (call $level (local.get $four) (local.get $inverse)))
        (local.set $sums (call $add_steps (local.get $sums) (local.get $four) (local.get $others)))
        (local.set $packed
          (v128.or
            (local.get $packed)
            (i16x8.shl (i16x8.narrow_i32x4_s (local.get $levels) (local.get $others)) (local.get $shift))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $shift (i32.add (local.get $shift) (i32.const 4)))
        (br_if $next_eight (i32.lt_u (local.get $shift) (i32.const 16))))
      (v128.store (local.get $out) (local.get $packed))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next_block (i32.lt_u (local.get $row) (local.get $end))))
    (f32.div (local.get $length) (call $sum (local.get $sums))))

  (func $level (param $four v128) (param $inverse f32) (result v128)
    (i32x4.min_u
      (i32x4.trunc_sat_f32x4_u
        (f32x4.add
          (f32x4.mul (local.get $four) (f32x4.splat (local.get $inverse)))
          (v128.const f32x4 8 8 8 8)))
      (v128.const i32x4 15 15 15 15)))

  (func $add_steps (param $sums v128) (param $four v128) (param $levels v128) (result v128)
    (f32x4.add
      (local.get $sums)
      (f32x4.mul
        (local.get $four)
        (f32x4.sub (f32x4.convert_i32x4_u (local.get $levels)) (v128.const f32x4 7.5 7.5 7.5 7.5)))))

  ;; For every packed row, how far it is from the query: 0 is a cosine of 1 and 4095 one of -1, about.
  ;; The query is of i16; $middle is 7.5 times their sum, $unit is 2048 times what one of them stands for.
  (func (export "scan")
    (param $rows i32) (param $blocks i32) (param $query i32) (param $middle i32) (param $unit f32)
    (param $matrix i32) (param $scales i32) (param $distances i32)
    (local $block i32)
    (local $at i32)
    (local $packed v128)
    (local $sum v128)
    (local $other v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $other (v128.const i32x4 0 0 0 0))
        (local.set $block (local.get $blocks))
        (local.set $at (local.get $query))
        (loop $next_block
          (local.set $packed (v128.load (local.get $matrix)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.dot_i16x8_s
                (v128.and (local.get $packed) (v128.const i16x8 15 15 15 15 15 15 15 15))
                (v128.load (local.get $at)))))
          (local.set $other
            (i32x4.add
              (local.get $other)
              (i32x4.dot_i16x8_s
                (v128.and
                  (i16x8.shr_u (local.get $packed) (i32.const 4))
                  (v128.const i16x8 15 15 15 15 15 15 15 15))
                (v128.load offset=16 (local.get $at)))))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.dot_i16x8_s
                (v128.and
                  (i16x8.shr_u (local.get $packed) (i32.const 8))
                  (v128.const i16x8 15 15 15 15 15 15 15 15))
                (v128.load offset=32 (local.get $at)))))
          (local.set $other
            (i32x4.add
              (local.get $other)
              (i32x4.dot_i16x8_s
                (i16x8.shr_u (local.get $packed) (i32.const 12))
                (v128.load offset=48 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $matrix (i32.add (local.get $matrix) (i32.const 16)))
          (local.set $block (i32.sub (local.get $block) (i32.const 1)))
          (br_if $next_block (local.get $block)))
        (local.set $sum (i32x4.add (local.get $sum) (local.get $other)))
        (i32.store16
          (local.get $distances)
          (call $distance
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
              (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))
            (local.get $middle)
            (f32.mul (f32.load (local.get $scales)) (local.get $unit))))
        (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next_row))))

  (func $distance (param $sum i32) (param $middle i32) (param $scale f32) (result i32)
    (i32.trunc_sat_f32_u
      (f32.min
        (f32.const 4095)
        (f32.sub
          (f32.const 2048)
          (f32.mul
            (f32.convert_i32_s (i32.sub (local.get $sum) (local.get $middle)))
            (local.get $scale)))))))
