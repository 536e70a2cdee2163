//! The sample shop as files: small tables as CSV, orders as Parquet, so that both loaders are met on the first day.
//! Next: `shop`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::SampleError;
use super::names::REGIONS;
use super::shop::{Order, Shop};

/// Writes all tables and gives their paths.
pub fn write(folder: &Path, shop: &Shop) -> Result<Vec<PathBuf>, SampleError> {
    fs::create_dir_all(folder).map_err(|source| SampleError::Unwritable { path: folder.to_owned(), source })?;
    let tables = [
        ("regions.csv", regions()?),
        ("customers.csv", customers(shop)?),
        ("products.csv", products(shop)?),
        ("orders.parquet", orders(&shop.orders)?),
    ];
    tables.into_iter().map(|(name, content)| replace(folder, name, &content)).collect()
}

/// Writes beside the file and renames, so that a reader sees the old file or the new one.
fn replace(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, SampleError> {
    let path = folder.join(name);
    let beside = folder.join(format!(".{name}.{}", std::process::id()));
    fs::write(&beside, content)
        .and_then(|()| fs::rename(&beside, &path))
        .map_err(|source| SampleError::Unwritable { path: path.clone(), source })?;
    Ok(path)
}

fn regions() -> Result<Vec<u8>, SampleError> {
    let rows = REGIONS
        .iter()
        .zip(1..)
        .map(|(words, id): (_, u32)| vec![id.to_string(), words.region.to_owned(), words.manager.to_owned()]);
    csv_of(&["region_id", "region", "manager"], rows)
}

fn customers(shop: &Shop) -> Result<Vec<u8>, SampleError> {
    let rows = shop.customers.iter().zip(1..).map(|(customer, id): (_, u32)| {
        vec![
            id.to_string(),
            customer.name.clone(),
            customer.segment.unwrap_or_default().to_owned(),
            customer.city.to_owned(),
            customer.country.to_owned(),
            customer.since.to_string(),
        ]
    });
    csv_of(&["customer_id", "name", "segment", "city", "country", "customer_since"], rows)
}

fn products(shop: &Shop) -> Result<Vec<u8>, SampleError> {
    let rows = shop.products.iter().zip(1..).map(|(product, id): (_, u32)| {
        let price = format!("{}.{:02}", product.price_cents / 100, product.price_cents % 100);
        vec![id.to_string(), product.name.to_owned(), product.category.to_owned(), price]
    });
    csv_of(&["product_id", "product", "category", "list_price"], rows)
}

fn csv_of(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>, SampleError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(&row)?;
    }
    writer.into_inner().map_err(|error| SampleError::Table(error.into_error().into()))
}

fn orders(orders: &[Order]) -> Result<Vec<u8>, SampleError> {
    let schema = Arc::new(parse_message_type(ORDERS_SCHEMA)?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut content = Vec::new();
    let mut file = SerializedFileWriter::new(&mut content, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    let every = |value: fn(&Order) -> i64| -> Vec<i64> { orders.iter().map(value).collect() };
    let numbers: Vec<i64> = (1..).take(orders.len()).collect();
    put::<Int64Type>(&mut group, &numbers, None)?;
    put::<Int32Type>(&mut group, &orders.iter().map(|order| days(order.date)).collect::<Vec<i32>>(), None)?;
    put::<Int64Type>(&mut group, &every(|order| order.customer), None)?;
    put::<Int64Type>(&mut group, &every(|order| order.product), None)?;
    put::<Int64Type>(&mut group, &every(|order| order.region), None)?;
    put::<Int64Type>(&mut group, &every(|order| order.quantity), None)?;
    put::<DoubleType>(&mut group, &hundredths(orders.iter().map(|order| order.unit_price_cents)), None)?;
    let discounts = hundredths(orders.iter().filter_map(|order| order.discount_percent));
    put::<DoubleType>(&mut group, &discounts, Some(presence(orders, |order| order.discount_percent.is_some())))?;
    put::<DoubleType>(&mut group, &hundredths(orders.iter().map(|order| order.revenue_cents)), None)?;
    let channels: Vec<ByteArray> = orders.iter().filter_map(|order| order.channel).map(ByteArray::from).collect();
    put::<ByteArrayType>(&mut group, &channels, Some(presence(orders, |order| order.channel.is_some())))?;
    group.close()?;
    file.close()?;
    Ok(content)
}

/// Writes the next column. `presence` holds 1 for each row that has a value; without it all have.
fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
    presence: Option<Vec<i16>>,
) -> Result<(), SampleError> {
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(values, presence.as_deref(), None)?;
        column.close()?;
    }
    Ok(())
}

fn presence(orders: &[Order], has: fn(&Order) -> bool) -> Vec<i16> {
    orders.iter().map(|order| i16::from(has(order))).collect()
}

#[expect(clippy::cast_precision_loss, reason = "cents far below 2^53")]
fn hundredths(values: impl Iterator<Item = i64>) -> Vec<f64> {
    values.map(|value| value as f64 / 100.0).collect()
}

fn days(date: Date) -> i32 {
    (date - Date::constant(1970, 1, 1)).get_days()
}

const ORDERS_SCHEMA: &str = "message orders {
    required int64 order_id;
    required int32 order_date (DATE);
    required int64 customer_id;
    required int64 product_id;
    required int64 region_id;
    required int64 quantity;
    required double unit_price;
    optional double discount;
    required double revenue;
    optional binary channel (UTF8);
}";
