;; The arithmetic of the encoder: one matrix product, and the two copies that lay its operands out.
;;
;; Addresses and strides are in bytes, counts in elements. Plain multiply and add, four lanes at a
;; time and always in the same order, so every processor gives the same bytes.
;;
;; A "tile" is 4 rows of the left operand side by side:       tile[depth][4].
;; A "panel" is 8 columns of the right operand side by side:  panel[depth][8].
(module
  (import "encoder" "memory" (memory 1))

  ;; to[0..count] = f32(from[0..count]), from int8. `count` is a multiple of 8.
  (func (export "widen") (param $from i32) (param $to i32) (param $count i32)
    (local $end i32)
    (local $eight v128)
    (local.set $end (i32.add (local.get $from) (local.get $count)))
    (loop $next
      (local.set $eight (v128.load8x8_s (local.get $from)))
      (v128.store (local.get $to)
        (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight))))
      (v128.store offset=16 (local.get $to)
        (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight))))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (local.set $to (i32.add (local.get $to) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $from) (local.get $end)))))

  ;; Lays `group` rows side by side: to[row / group][0..depth][row % group] = from[row][0..depth].
  ;; With a group of 4 it makes tiles; with 8 it makes the panels of the transposed matrix.
  (func (export "interleave")
    (param $from i32) (param $stride i32) (param $rows i32) (param $depth i32)
    (param $group i32) (param $to i32)
    (local $row i32) (local $source i32) (local $source_end i32) (local $target i32) (local $step i32)
    (local.set $step (i32.shl (local.get $group) (i32.const 2)))
    (loop $next_row
      (local.set $source
        (i32.add (local.get $from) (i32.mul (local.get $row) (local.get $stride))))
      (local.set $source_end
        (i32.add (local.get $source) (i32.shl (local.get $depth) (i32.const 2))))
      (local.set $target
        (i32.add
          (local.get $to)
          (i32.add
            (i32.mul
              (i32.div_u (local.get $row) (local.get $group))
              (i32.mul (local.get $depth) (local.get $step)))
            (i32.shl (i32.rem_u (local.get $row) (local.get $group)) (i32.const 2)))))
      (loop $next_element
        (f32.store (local.get $target) (f32.load (local.get $source)))
        (local.set $source (i32.add (local.get $source) (i32.const 4)))
        (local.set $target (i32.add (local.get $target) (local.get $step)))
        (br_if $next_element (i32.lt_u (local.get $source) (local.get $source_end))))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $next_row (i32.lt_u (local.get $row) (local.get $rows)))))

  ;; Eight columns of a product, for `tile_count` tiles of rows:
  ;;   out[4 * tile_count rows][8] = max(floor, (tiles * panel) * scales[8] + biases[8])
  ;; `panel_stride` is the distance between two rows of the panel (32 when it is packed), so that a
  ;; panel may also be eight columns of a wider matrix; `out_stride` is that of two rows of `out`.
  (func (export "multiply")
    (param $tile i32) (param $tile_count i32) (param $depth i32)
    (param $panel i32) (param $panel_stride i32) (param $scales i32) (param $biases i32)
    (param $floor f32) (param $out i32) (param $out_stride i32)
    (local $weights i32) (local $weights_end i32)
    (local $left v128) (local $right v128)          ;; columns 0-3 and 4-7 of the panel's row
    (local $value v128)                             ;; one element of the tile, in all four lanes
    (local $left0 v128) (local $right0 v128)        ;; sums of row 0 of the tile
    (local $left1 v128) (local $right1 v128)
    (local $left2 v128) (local $right2 v128)
    (local $left3 v128) (local $right3 v128)
    (local.set $weights_end
      (i32.add (local.get $panel) (i32.mul (local.get $depth) (local.get $panel_stride))))

    (loop $next_tile
      (local.set $left0 (v128.const f32x4 0 0 0 0)) (local.set $right0 (v128.const f32x4 0 0 0 0))
      (local.set $left1 (v128.const f32x4 0 0 0 0)) (local.set $right1 (v128.const f32x4 0 0 0 0))
      (local.set $left2 (v128.const f32x4 0 0 0 0)) (local.set $right2 (v128.const f32x4 0 0 0 0))
      (local.set $left3 (v128.const f32x4 0 0 0 0)) (local.set $right3 (v128.const f32x4 0 0 0 0))
      (local.set $weights (local.get $panel))

      (loop $next_depth
        (local.set $left (v128.load (local.get $weights)))
        (local.set $right (v128.load offset=16 (local.get $weights)))

        (local.set $value (v128.load32_splat (local.get $tile)))
        (local.set $left0 (f32x4.add (local.get $left0) (f32x4.mul (local.get $value) (local.get $left))))
        (local.set $right0 (f32x4.add (local.get $right0) (f32x4.mul (local.get $value) (local.get $right))))

        (local.set $value (v128.load32_splat offset=4 (local.get $tile)))
        (local.set $left1 (f32x4.add (local.get $left1) (f32x4.mul (local.get $value) (local.get $left))))
        (local.set $right1 (f32x4.add (local.get $right1) (f32x4.mul (local.get $value) (local.get $right))))

        (local.set $value (v128.load32_splat offset=8 (local.get $tile)))
        (local.set $left2 (f32x4.add (local.get $left2) (f32x4.mul (local.get $value) (local.get $left))))
        (local.set $right2 (f32x4.add (local.get $right2) (f32x4.mul (local.get $value) (local.get $right))))

        (local.set $value (v128.load32_splat offset=12 (local.get $tile)))
        (local.set $left3 (f32x4.add (local.get $left3) (f32x4.mul (local.get $value) (local.get $left))))
        (local.set $right3 (f32x4.add (local.get $right3) (f32x4.mul (local.get $value) (local.get $right))))

        (local.set $tile (i32.add (local.get $tile) (i32.const 16)))
        (local.set $weights (i32.add (local.get $weights) (local.get $panel_stride)))
        (br_if $next_depth (i32.lt_u (local.get $weights) (local.get $weights_end))))

      (call $finish (local.get $out)
        (local.get $left0) (local.get $right0) (local.get $scales) (local.get $biases) (local.get $floor))
      (local.set $out (i32.add (local.get $out) (local.get $out_stride)))
      (call $finish (local.get $out)
        (local.get $left1) (local.get $right1) (local.get $scales) (local.get $biases) (local.get $floor))
      (local.set $out (i32.add (local.get $out) (local.get $out_stride)))
      (call $finish (local.get $out)
        (local.get $left2) (local.get $right2) (local.get $scales) (local.get $biases) (local.get $floor))
      (local.set $out (i32.add (local.get $out) (local.get $out_stride)))
      (call $finish (local.get $out)
        (local.get $left3) (local.get $right3) (local.get $scales) (local.get $biases) (local.get $floor))
      (local.set $out (i32.add (local.get $out) (local.get $out_stride)))

      (local.set $tile_count (i32.sub (local.get $tile_count) (i32.const 1)))
      (br_if $next_tile (local.get $tile_count))))

  ;; One row of `multiply`'s result: out[8] = max(floor, sums * scales + biases).
  (func $finish
    (param $out i32) (param $left v128) (param $right v128)
    (param $scales i32) (param $biases i32) (param $floor f32)
    (local $least v128)
    (local.set $least (f32x4.splat (local.get $floor)))
    (v128.store (local.get $out)
      (f32x4.max (local.get $least)
        (f32x4.add
          (f32x4.mul (local.get $left) (v128.load (local.get $scales)))
          (v128.load (local.get $biases)))))
    (v128.store offset=16 (local.get $out)
      (f32x4.max (local.get $least)
        (f32x4.add
          (f32x4.mul (local.get $right) (v128.load offset=16 (local.get $scales)))
          (v128.load offset=16 (local.get $biases)))))))
